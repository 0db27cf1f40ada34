import { useSearch } from '@tanstack/react-router'
import { lazy, memo, useMemo, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useExport } from '../../kit/export/useExport.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { type List, useList } from '../../kit/list/useList.ts'
import { type ListFilter, useListSearch } from '../../kit/list/useListSearch.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { recordColumns } from './columns.tsx'
import { OrderFields } from './Fields.tsx'
import { MoreFilters } from './MoreFilters.tsx'
import { type RecordFilters, recordQuery } from './search.ts'
import { useStateOptions } from './useStateOptions.ts'

const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

export default function RecordPage() {
  const t = useMessages('payments')
  const list = useList(
    useListSearch(useSearch({ from: '/record' })),
    (filters, page) => apiQuery('GET /api/v1/transactions/list', { query: recordQuery(filters, page) }),
    'trade_no',
  )
  const { filter, open } = list
  const columns = useMemo(() => recordColumns(t, open), [t, open])
  return (
    <ListPage
      title={t.title}
      text={t.text}
      caption={t.caption}
      list={list}
      columns={columns}
      rowKey={row => row.trade_no}
      recycle
      lines={2}
      skeletonRows={list.page.pageSize}
      file={useExport('GET /api/v1/transactions/list/export', recordQuery(filter.values), 'PaymentRecord')}
      exportCounted={t.exportRows}
      filters={<FilterBar filter={filter} />}
      notice={<Fresh list={list} />}
      empty={
        <Empty
          title={t.emptyTitle}
          text={t.emptyText}
          action={
            <Link to="/initPage" look="none" className={buttonClass('primary')}>
              {t.emptyAction}
            </Link>
          }
        />
      }
      drawer={trade_no => <PaymentDrawer trade_no={trade_no} onClose={list.close} />}
    />
  )
}

/** Memoised, so that changing the page does not re-render the filters. */
const FilterBar = memo(({ filter }: { filter: ListFilter<RecordFilters> }) => {
  const t = useMessages('payments')
  const options = useStateOptions()
  const { values, set } = filter
  const searched = [values.exception, values.text, values.address, values.txid, values.metadata]
  const [asked, setMore] = useState(false)
  const more = asked || searched.some(value => value !== undefined)
  return (
    <Filters label={t.filters} filter={filter}>
      <SelectFilter
        label={t.status}
        all={t.allStatuses}
        className="w-full sm:w-48"
        value={values.status}
        options={options}
        onChange={status => set({ status })}
      />
      <OrderFields filter={filter} />
      <DaysFilter label={t.time} filter={filter} />
      {more ? (
        <MoreFilters filter={filter} />
      ) : (
        <Button look="ghost" icon="plus" className="max-sm:self-end sm:mt-[26px]" onClick={() => setMore(true)}>
          {t.moreFilters}
        </Button>
      )}
    </Filters>
  )
})

/**
 * A notice of payments created since this page of the list was opened. Page 1 shows new payments by itself.
 */
function Fresh({ list: { filter, page, setPage, total, stale } }: { list: List<unknown> }) {
  const t = useMessages('payments')
  const place = JSON.stringify([page, filter.values])
  const [seen, setSeen] = useState<{ place: string; total: number }>()
  if (total !== undefined && !stale && seen?.place !== place) setSeen({ place, total })
  const count = page.current > 1 && !stale && seen?.place === place ? (total ?? 0) - seen.total : 0
  return (
    <div role="status" className="empty:hidden">
      {count > 0 && (
        <div className="flex items-center justify-center gap-3 border-t border-line bg-accent-soft px-5 py-1.5 text-[13px]">
          <span className="num">{t.fresh(count)}</span>
          <Button
            size="small"
            look="ghost"
            className="text-accent-text"
            onClick={() => setPage({ ...page, current: 1 })}
          >
            {t.showFresh}
          </Button>
        </div>
      )}
    </div>
  )
}
