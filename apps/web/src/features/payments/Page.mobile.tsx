import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { FilterBar } from '../../kit/mobile/FilterBar.tsx'
import { Clock, Rows } from '../../kit/mobile/Rows.tsx'
import { useEndless } from '../../kit/mobile/useEndless.ts'
import { Amount } from '../../ui/data/Values.tsx'
import { ExceptionText, PaymentText } from '../../ui/feedback/StateBadge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { Icon } from '../../ui/icons.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { owed, recordQuery } from './search.ts'
import { useStateOptions } from './useStateOptions.ts'

const AllFields = lazy(() => import('./AllFields.tsx'))
const PaymentDrawer = lazy(() => import('./PaymentDrawer.tsx'))

/** Payments on a phone. */
export default function Records() {
  const t = useMessages('payments')
  const list = useEndless(
    useListSearch(useSearch({ from: '/record' })),
    (filters, page) => apiQuery('GET /api/v1/transactions/list', { query: recordQuery(filters, page) }),
    { drawer: 'trade_no' },
  )
  const { filter } = list
  const options = [{ value: undefined, label: t.allStatuses }, ...useStateOptions()]
  return (
    <>
      <h1 className="sr-only">{t.title}</h1>
      <FilterBar
        filter={filter}
        quick={{ label: t.status, value: filter.values.status, options }}
        onQuick={status => filter.set({ status })}
      >
        {draft => <AllFields filter={draft} />}
      </FilterBar>
      <Rows
        label={t.caption}
        list={list}
        rowKey={row => row.trade_no}
        onOpen={row => list.open(row.trade_no)}
        row={row => ({
          picture:
            row.token === '' ? (
              <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-ink-3">
                <Icon name="more" size={16} />
              </span>
            ) : (
              <TokenLogo token={row.token} size={36} />
            ),
          title: row.out_trade_no,
          value: <Amount {...owed(row)} />,
          text: (
            <>
              <Clock seconds={row.created_time} /> · {row.apply_name}
            </>
          ),
          note: (
            <>
              {row.exception !== 'none' && (
                <>
                  <ExceptionText exception={row.exception} /> ·{' '}
                </>
              )}
              <PaymentText status={row.status} />
            </>
          ),
        })}
        empty={<Empty title={t.emptyTitle} text={t.emptyText} />}
      />
      {list.opened !== undefined && (
        <Suspense fallback={null}>
          <PaymentDrawer trade_no={list.opened} onClose={list.close} />
        </Suspense>
      )}
    </>
  )
}
