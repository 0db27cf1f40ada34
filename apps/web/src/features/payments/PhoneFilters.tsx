import FilterSheet, { type SheetProps } from '../../kit/mobile/FilterSheet.tsx'
import { useFields } from './fields.ts'

const atOnce: readonly string[] = ['text', 'status']

/** Every filter of payments but those that a phone draws at once. */
export default function PhoneFilters(props: SheetProps) {
  return <FilterSheet {...props} fields={useFields().filter(field => !atOnce.includes(String(field.by)))} />
}
