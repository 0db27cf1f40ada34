import FilterSheet, { type FilterSheetProps } from '../../kit/mobile/FilterSheet.tsx'
import { usePaymentFilterFields } from './fields.ts'

const atOnce: readonly string[] = ['text', 'status']

/** Every filter of payments but those that a phone draws at once. */
export default function PhoneFilters(props: FilterSheetProps) {
  return (
    <FilterSheet {...props} fields={usePaymentFilterFields().filter(field => !atOnce.includes(String(field.by)))} />
  )
}
