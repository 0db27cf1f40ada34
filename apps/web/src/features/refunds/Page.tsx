import { type WithdrawalState, withdrawalStatus } from '@coffer/contract/codes.ts'
import { isTradeNo } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { DaysFilter, Filters, SelectFilter } from '../../kit/list/Filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { listQuery } from '../../kit/list/query.ts'
import { useList } from '../../kit/list/useList.ts'
import { useListSearch } from '../../kit/list/useListSearch.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { buttonClass } from '../../ui/classes.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { NumberFilter } from '../../ui/controls/NumberFilter.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { type Refund, refundColumns } from './columns.tsx'

/** States that a refund can have: it needs no approval. */
const states = [
  'transferring',
  'confirming',
  'accomplished',
  'canceled',
  'abnormal',
] as const satisfies WithdrawalState[]

/** Refunds, with those that can still be cancelled. */
export default function RefundsPage() {
  const t = useMessages('refunds')
  const common = useMessages('common')
  const { data: applications } = useQuery(apiQuery('GET /api/v1/user/application-list', {}))
  const list = useList(useListSearch(useSearch({ from: '/record/refund' })), (filters, page) =>
    apiQuery('GET /api/v1/transactions/refund-list', { query: listQuery(filters, page) }),
  )
  const cancel = useSubmit('POST /api/v1/transactions/refund/cancel', {
    refreshes: ['GET /api/v1/transactions/refund-list', 'GET /api/v1/statistics/assets'],
    done: t.canceled,
  })
  const onCancel = ({ id }: Refund) => cancel.mutate({ body: { id } })
  const { values, set } = list.filter
  return (
    <ListPage
      title={t.title}
      text={t.text}
      caption={t.title}
      list={list}
      columns={refundColumns(t, { onCancel, busy: cancel.isPending })}
      rowKey={row => row.id}
      lines={2}
      skeletonRows={list.page.pageSize}
      filters={
        <Filters label={common.search} filter={list.filter}>
          <SelectFilter
            label={t.status}
            all={t.allStatuses}
            className="sm:w-40"
            value={values.status}
            options={states.map(state => ({ value: `${withdrawalStatus[state]}` as const, label: t.states[state] }))}
            onChange={status => set({ status })}
          />
          <SelectFilter
            label={t.application}
            all={t.allApplications}
            className="sm:w-44"
            value={values.appid}
            options={(applications?.list ?? []).map(({ appid, name }) => ({ value: appid, label: name }))}
            onChange={appid => set({ appid })}
          />
          <NumberFilter
            label={t.orderNumber}
            className="grow sm:w-60 sm:grow-0"
            value={values.trade_no}
            fits={isTradeNo}
            error={common.tradeNumber}
            digits
            onCommit={trade_no => set({ trade_no })}
          />
          <DaysFilter label={t.time} filter={list.filter} />
        </Filters>
      }
      empty={
        <Empty
          icon="refund"
          title={t.emptyTitle}
          text={t.emptyText}
          action={
            <Link to="/record" look="none" className={buttonClass()}>
              {t.emptyAction}
            </Link>
          }
        />
      }
    />
  )
}
