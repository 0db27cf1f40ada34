import { callbackStatus, codeNameOf } from '@coffer/contract/codes.ts'
import { formatBasisPoints } from '@coffer/contract/kit/basis-points.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { PageHeader } from '../../../ui/data/PageHeader.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { PaymentBadge, PaymentExceptionText } from '../../../ui/feedback/StateBadge.tsx'
import { useRead } from '../../kit/api.ts'
import { refundColumn } from '../../kit/found.tsx'
import { MerchantLink, ParentPageLink, usePathId } from '../../kit/links.tsx'
import { Address, Loaded, type QueryState, RowsCard, TwoLineCell, WithdrawalBadge } from '../../kit/Rows.tsx'

type Detail = OperatorData<'GET /api/operator/v1/payments/:id'>

/** A payment of any merchant, to answer questions about it. */
export default function Payment() {
  const id = usePathId()
  const t = useMessages('operator')
  const s = useMessages('support')
  const read = useRead('GET /api/operator/v1/payments/:id', { params: { id } })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <ParentPageLink to="/search">{s.searchTitle}</ParentPageLink>
          <PageHeader
            title={
              <>
                {t.payment} <Amount value={data.usdt_amount} unit="USDT" />
              </>
            }
            text={data.subject || data.apply_name}
          />
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <Card title={t.payment}>
              <PaymentFacts payment={data} />
            </Card>
            <div className="flex min-w-0 flex-col gap-4">
              <Deposits read={read} />
              {data.refunds.length > 0 && <Refunds read={read} />}
              <Callbacks read={read} />
              <History read={read} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

function PaymentFacts({ payment: row }: { payment: Detail }) {
  const t = useMessages('operator')
  const s = useMessages('support')
  return (
    <DetailList
      rows={[
        [t.number, <CopyText key="n" look="whole" value={row.trade_no} />],
        [s.order, <CopyText key="o" look="whole" value={row.out_trade_no} />],
        [
          t.merchant,
          <MerchantLink key="m" id={row.mchid}>
            {row.merchant || row.mchid}
          </MerchantLink>,
        ],
        [s.application, row.apply_name],
        [s.subject, row.subject],
        [
          t.state,
          <span key="s" className="inline-flex flex-wrap items-center justify-end gap-2">
            <PaymentExceptionText exception={row.exception} />
            <PaymentBadge status={row.status} />
          </span>,
        ],
        [s.amountDue, row.token && <Amount key="a" value={row.amount} unit={row.token} exact />],
        [s.arrived, row.token && <Amount key="p" value={row.paid_amount} unit={row.token} exact />],
        [s.fees, row.token && <Amount key="f" value={row.fees} unit={row.token} exact />],
        [s.feeRate, row.fee_bps === null ? '' : formatBasisPoints(row.fee_bps)],
        [t.chain, row.chain],
        [s.depositAddress, row.address && <CopyText key="d" look="groups" value={row.address} />],
        [s.created, <Time key="c" seconds={row.created_time} />],
        [s.expires, <Time key="e" seconds={row.expire_time} />],
        [s.paid, row.paid_time > 0 && <Time key="t" seconds={row.paid_time} />],
      ]}
    />
  )
}

interface CardProps {
  read: QueryState<Detail>
}

/** What arrived for the payment. */
function Deposits({ read }: CardProps) {
  const t = useMessages('operator')
  const s = useMessages('support')
  return (
    <RowsCard
      title={s.deposits}
      columns={[
        { title: t.stakeFacts.amount, cell: row => <Received deposit={row} /> },
        {
          title: t.state,
          cell: row => (
            <TwoLineCell
              first={[s.depositStates[row.state], row.late && s.late, row.held && s.held].filter(Boolean).join(' · ')}
              second={s.confirmations(row.confirmations, row.required_confirmations)}
            />
          ),
        },
        { title: t.transaction, cell: row => <Address value={row.txid} /> },
      ]}
      read={read}
      list="chain_confirmation_information"
      by={['txid', 'to_address', 'amount', 'seen_time']}
      empty={s.noDeposits}
    />
  )
}

const Received = ({ deposit }: { deposit: Detail['chain_confirmation_information'][number] }) => (
  <TwoLineCell
    first={<Amount value={deposit.amount} unit={deposit.token} />}
    second={
      <>
        <span className="block">{deposit.chain}</span>
        <Time seconds={deposit.seen_time} />
      </>
    }
  />
)

function Refunds({ read }: CardProps) {
  const t = useMessages('operator')
  const s = useMessages('support')
  return (
    <RowsCard
      title={s.refunds}
      columns={[
        refundColumn(t.refund),
        { title: t.state, phone: 'value', cell: row => <WithdrawalBadge status={row.status} /> },
        { title: t.time, cell: row => <Time seconds={row.created_time} /> },
      ]}
      read={read}
      list="refunds"
      empty={s.noRefunds}
    />
  )
}

function Callbacks({ read }: CardProps) {
  const t = useMessages('operator')
  const s = useMessages('support')
  const { events } = useMessages('callbacks')
  return (
    <RowsCard
      title={s.callbacks}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.time} /> },
        { title: t.event, cell: row => events[row.event] ?? row.event },
        {
          title: t.state,
          cell: row => (
            <TwoLineCell
              first={s.callbackStates[codeNameOf(callbackStatus, row.status) ?? 'pending']}
              second={t.attempts(row.attempts)}
            />
          ),
        },
      ]}
      read={read}
      list="callbacks"
      empty={s.noCallbacks}
    />
  )
}

function History({ read }: CardProps) {
  const t = useMessages('operator')
  const { events } = useMessages('payment-details')
  return (
    <RowsCard
      title={t.history}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.time} /> },
        { title: t.state, cell: row => <PaymentBadge status={row.status} /> },
        {
          title: t.what,
          cell: row => (
            <TwoLineCell first={events[row.event as keyof typeof events] ?? row.event} second={row.reason} />
          ),
        },
      ]}
      read={read}
      list="history"
      by={['time', 'event', 'status']}
      empty={t.noLog}
    />
  )
}
