import FilterSheet, { type SheetProps } from '../../kit/mobile/FilterSheet.tsx'
import { useFields } from './fields.ts'

/** Every filter of payments but the status. */
export default function PhoneFilters(props: SheetProps) {
  return <FilterSheet {...props} fields={useFields().slice(1)} />
}
