import { type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { FilterBar } from '../../kit/mobile/FilterBar.tsx'
import { Clock, Rows } from '../../kit/mobile/Rows.tsx'
import { Thumb } from '../../kit/mobile/Thumb.tsx'
import { useEndless } from '../../kit/mobile/useEndless.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { TokenLogo } from '../../ui/logos/Logo.tsx'
import { RecordFields, recordsQuery } from './RecordsPage.tsx'
import { statusText } from './WithdrawalBadge.tsx'

const WithdrawalDrawer = lazy(() => import('./WithdrawalDrawer.tsx'))

const quick = ['auditing', 'transferring', 'accomplished', 'audit_rejected'] as const satisfies WithdrawalState[]

/** Withdrawals on a phone, seven at a time. */
export default function Withdrawals() {
  const t = useMessages('withdrawals')
  const list = useEndless(
    useListSearch(useSearch({ from: '/record/withdrawal' })),
    (filters, page) => apiQuery('GET /api/v1/account/withdrawal-list', { query: recordsQuery(filters, page) }),
    { drawer: 'id', pageSize: limits.mobileWithdrawalPageSize },
  )
  const { filter } = list
  const options = [
    { value: undefined, label: t.allStatuses },
    ...quick.map(state => ({ value: `${withdrawalStatus[state]}` as const, label: t.states[state] })),
  ]
  return (
    <>
      <h1 className="sr-only">{t.records}</h1>
      <FilterBar
        filter={filter}
        quick={{ label: t.status, value: options.find(each => each.value === filter.values.status)?.value, options }}
        onQuick={status => filter.set({ status })}
      >
        {draft => <RecordFields filter={draft} />}
      </FilterBar>
      <Rows
        label={t.caption}
        list={list}
        rowKey={row => row.id}
        onOpen={row => list.open(row.id)}
        row={row => ({
          picture: <TokenLogo token={row.token} size={36} />,
          title: row.address,
          value: <Amount value={row.amount} unit={row.token} />,
          text: (
            <>
              <Clock seconds={row.created_time} /> · {row.chain}
            </>
          ),
          note: statusText(t, row.status),
        })}
        empty={<Empty icon="withdraw" title={t.emptyTitle} text={t.emptyText} />}
      />
      <Thumb>
        <Link to="/withdraw" look="none" className={buttonClass('primary', 'large')}>
          {t.newOne}
        </Link>
      </Thumb>
      {list.opened !== undefined && (
        <Suspense fallback={null}>
          <WithdrawalDrawer id={list.opened} onClose={list.close} />
        </Suspense>
      )}
    </>
  )
}
