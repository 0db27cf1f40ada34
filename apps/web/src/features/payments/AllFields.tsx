import { useMessages } from '../../i18n/messages.ts'
import { DaysFilter } from '../../kit/list/Filters.tsx'
import type { ListFilter } from '../../kit/list/useListSearch.ts'
import { OrderFields } from './Fields.tsx'
import { MoreFilters } from './MoreFilters.tsx'
import type { RecordFilters } from './search.ts'

/** Every filter of payments but the status. */
export default function AllFields({ filter }: { filter: ListFilter<RecordFilters> }) {
  const t = useMessages('payments')
  return (
    <>
      <DaysFilter label={t.time} filter={filter} />
      <OrderFields filter={filter} />
      <MoreFilters filter={filter} />
    </>
  )
}
