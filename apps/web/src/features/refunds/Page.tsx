import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useApplicationOptions } from '../../kit/list/choices.ts'
import { amountColumn, CopyableValue, TransactionHashCell, timeColumn, tokenColumn } from '../../kit/list/columns.tsx'
import { toCodeNames } from '../../kit/list/fields.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import type { ListRow } from '../../kit/list/search.ts'
import { useList } from '../../kit/list/useList.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { lists } from '../../lists.ts'
import { Link } from '../../ui/controls/Link.tsx'
import type { Column } from '../../ui/data/Table.tsx'
import { TwoLines } from '../../ui/data/TwoLines.tsx'
import { Amount } from '../../ui/data/Values.tsx'
import { CodeBadge, withdrawalBadgeKinds } from '../../ui/feedback/CodeBadge.tsx'
import { Empty } from '../../ui/feedback/States.tsx'
import { cancelColumn, orderColumn } from './columns.tsx'
import { RefundTabs } from './RefundTabs.tsx'

type Refund = ListRow<'GET /api/v1/transactions/refund-list'>

const price = (row: Refund) => <Amount value={row.fiat_amount} unit={row.fiat_name} />

const refundColumns = (
  t: Messages<'refunds'>,
  { onCancel, busy }: { onCancel(refund: Refund): void; busy: boolean },
): Column<Refund>[] => [
  orderColumn(t),
  {
    phone: 'note',
    title: t.status,
    cell: row => (
      <CodeBadge codes={withdrawalStatus} kinds={withdrawalBadgeKinds} labels={t.states} code={row.status} />
    ),
  },
  // The price before the chain: with the time it fits a line of a phone.
  tokenColumn(t.token, { phone: 'text', phoneCell: row => (row.fiat_name ? [price(row), row.chain] : row.chain) }),
  amountColumn(t.receives, row => ({ value: row.receives }), {
    isMain: true,
    phone: 'value',
    phoneUnit: row => row.token,
  }),
  { title: t.price, align: 'end', cell: row => (row.fiat_name === '' ? null : price(row)) },
  amountColumn(t.taken, row => ({ value: row.total })),
  {
    title: `${t.address} / ${t.txid}`,
    cell: row => (
      <TwoLines
        first={<CopyableValue value={row.address} label={t.address} />}
        second={<TransactionHashCell txid={row.txid} url={row.browser_url} label={t.txid} />}
      />
    ),
  },
  {
    title: t.reason,
    className: 'max-w-60',
    cell: row => {
      const failure = t.failures[row.failure] ?? row.failure
      return row.reason && failure ? <TwoLines first={row.reason} second={failure} /> : row.reason || failure
    },
  },
  timeColumn(t.time, row => row.created_time, { sticky: 'end' }),
  cancelColumn(t, {
    call: 'POST /api/v1/transactions/refund/cancel',
    can: row => row.can_cancel,
    nameOf: row => t.cancelNamed(row.out_trade_no),
    onCancel,
    busy,
  }),
]

/** Refunds, with those that can still be cancelled. */
export default function RefundsPage() {
  const t = useMessages('refunds')
  const cancel = useSubmit('POST /api/v1/transactions/refund/cancel', {
    ask: { title: t.cancelTitle, text: t.cancelText, action: t.cancelSure, leave: t.keep, danger: true },
    refreshes: ['GET /api/v1/transactions/refund-list', 'GET /api/v1/statistics/assets'],
    done: t.canceled,
  })
  const onCancel = ({ id }: Refund) => cancel.mutate({ body: { id } })
  return (
    <ListPage
      title={t.title}
      text={t.text}
      above={<RefundTabs shown="refunds" />}
      list={useList(lists.refunds)}
      file={{ call: 'GET /api/v1/transactions/refund-list/export', name: 'RefundRecord' }}
      columns={refundColumns(t, { onCancel, busy: cancel.isPending })}
      filters={[
        {
          by: 'status',
          label: t.status,
          all: t.allStatuses,
          names: toCodeNames(withdrawalStatus, t.states),
          width: 'sm:w-40',
        },
        {
          by: 'appid',
          label: t.application,
          all: t.allApplications,
          useOptions: useApplicationOptions,
          width: 'sm:w-44',
        },
        { by: 'order', label: t.orderNumber, error: t.badOrder, width: 'grow sm:w-60 sm:grow-0' },
        { by: 'days', label: t.time },
      ]}
      empty={
        <Empty
          icon="refund"
          title={t.emptyTitle}
          text={t.emptyText}
          action={
            <Link to="/record" look="secondary">
              {t.emptyAction}
            </Link>
          }
        />
      }
    />
  )
}
