import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Time } from '../../../ui/data/Values.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { useRead } from '../../kit/api.ts'
import { refundColumn } from '../../kit/found.tsx'
import { LogLink, PaymentLink } from '../../kit/links.tsx'
import { useIsOneOf } from '../../kit/persons.ts'
import { Address, MerchantCell, RowsCard, TwoLineCell, WithdrawalBadge } from '../../kit/Rows.tsx'
import { formatWaitDuration } from '../../kit/times.ts'
import { AlreadyPaid } from './AlreadyPaid.tsx'
import { ApprovalDetails, PaidDetails } from './PayoutText.tsx'

type Data = OperatorData<'GET /api/operator/v1/refunds'>
type Row = Data['list'][number]

const Whose = ({ refund }: { refund: Row | Data['decided'][number] }) => (
  <span className="block w-40">
    <MerchantCell of={refund} />
    <span className="block text-xs wrap-anywhere">
      <PaymentLink id={refund.trade_no} />
    </span>
  </span>
)

/** Abnormal refunds, which only the operator can end; nothing while there are none. */
export function Refunds() {
  const t = useMessages('operator')
  const { pair } = useMessages('common')
  const read = useRead('GET /api/operator/v1/refunds', {})
  if (!read.data?.list.length) return null
  return (
    <RowsCard
      title={t.abnormalRefunds}
      className="mb-4"
      columns={[
        refundColumn(t.refund),
        {
          title: t.merchantAndPayment,
          cell: row => <Whose refund={row} />,
        },
        { title: t.to, cell: row => <Address value={row.address} /> },
        {
          title: t.reason,
          cell: row => (
            <TwoLineCell
              first={t.payoutReasons[row.reason] ?? row.reason}
              second={
                <>
                  {t.waitsSince(formatWaitDuration(t, Date.now() / 1_000 - row.created_time))}
                  {row.people > 1 && ` · ${pair(t.approvals, t.approvalsOf(row.approvals.length, row.people))}`}
                </>
              }
            />
          ),
        },
      ]}
      rowActions={row => (
        <span className="flex flex-wrap gap-2 sm:flex-col sm:items-stretch">
          <RefundDecisions refund={row} />
        </span>
      )}
      read={read}
      empty={t.noRefunds}
    >
      <p className="-mt-2 px-5 pb-3 text-[13px] text-ink-2">{t.abnormalRefundsText}</p>
    </RowsCard>
  )
}

/** What an operator can do about an abnormal refund. */
export function RefundDecisions({ refund }: { refund: Row }) {
  const t = useMessages('operator')
  const isOneOf = useIsOneOf()
  const params = { id: refund.id }
  return (
    <>
      {isOneOf(refund.approvals) ? (
        <span className="text-xs text-ink-2">{t.youApproved}</span>
      ) : (
        <ActionButton
          call="POST /api/operator/v1/refunds/:id/approve"
          params={params}
          known={{ updated_time: refund.updated_time }}
        >
          <ApprovalDetails payout={refund} />
        </ActionButton>
      )}
      <AlreadyPaid call="POST /api/operator/v1/refunds/:id/paid" payout={refund} />
      <ActionButton call="POST /api/operator/v1/refunds/:id/cancel" params={params}>
        <PaidDetails payout={refund} />
      </ActionButton>
    </>
  )
}

/** Who decided what about abnormal refunds; nothing while nobody did. */
export function DecidedRefunds() {
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/refunds', {})
  if (!read.data?.decided.length) return null
  return (
    <RowsCard
      title={t.decidedRefunds}
      className="mt-4"
      columns={[
        refundColumn(t.refund),
        { title: t.merchantAndPayment, cell: row => <Whose refund={row} /> },
        { title: t.state, phone: 'value', cell: row => <WithdrawalBadge status={row.status} /> },
        {
          title: t.decision,
          cell: row => (
            <TwoLineCell
              first={t.decided[row.event === 'released' ? 'canceled' : row.event]}
              second={joinList(row.who)}
            />
          ),
        },
        { title: t.time, cell: row => <Time seconds={row.decided_time} /> },
        {
          title: t.menu.log,
          className: 'whitespace-nowrap',
          cell: row => <LogLink text={row.id} />,
        },
      ]}
      read={read}
      list="decided"
      by={['id', 'number']}
      empty={t.noDecidedRefunds}
    />
  )
}
