import { lazy, useMemo, useState } from 'react'
import { loadMessages, useMessages } from '../../i18n/messages.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import type { ListState } from '../../kit/list/useListSearch.ts'
import { lists } from '../../lists.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Link } from '../../ui/controls/Link.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { paymentRecordColumns } from './columns.tsx'
import { usePaymentFilterFields } from './fields.ts'

// Not named by the route: a phone's rows do without them.
void loadMessages('payment-columns')

const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

export default function RecordPage() {
  const page = useMessages('payments')
  const t = useMessages('payment-columns')
  const list = useList(lists.payments)
  const { open } = list
  return (
    <ListPage
      title={page.title}
      text={t.text}
      caption={page.caption}
      list={list}
      columns={useMemo(() => paymentRecordColumns(t, open), [t, open])}
      rowKey="trade_no"
      recycle
      filters={usePaymentFilterFields()}
      filtersLabel={t.filters}
      moreFilters={t.moreFilters}
      file={{ call: 'GET /api/v1/transactions/list/export', name: 'PaymentRecord', counted: t.exportRows }}
      notice={
        <>
          <Fresh list={list} />
          {list.truncated && <p className="border-t border-line px-5 py-2 text-[13px] text-ink-2">{page.truncated}</p>}
        </>
      }
      empty={
        <Empty
          title={page.emptyTitle}
          text={page.emptyText}
          action={
            <Link to="/initPage" look="primary">
              {t.emptyAction}
            </Link>
          }
        />
      }
      drawer={trade_no => <PaymentDrawer trade_no={trade_no} onClose={list.close} />}
    />
  )
}

type Place = Pick<ListState, 'filter' | 'page' | 'setPage' | 'total' | 'stale'>

/**
 * A notice of payments created since this page of the list was opened. Page 1 shows new payments by itself.
 */
function Fresh({ list: { filter, page, setPage, total, stale } }: { list: Place }) {
  const t = useMessages('payment-columns')
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
