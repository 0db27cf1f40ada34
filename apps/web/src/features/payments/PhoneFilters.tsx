import FilterSheet, { type SheetProps } from '../../kit/mobile/FilterSheet.tsx'
import { useFields } from './fields.ts'

/** Every filter of payments but the status, which a phone draws at once. */
export default function PhoneFilters(props: SheetProps) {
  return <FilterSheet {...props} fields={useFields().filter(field => field.by !== 'status')} />
}
