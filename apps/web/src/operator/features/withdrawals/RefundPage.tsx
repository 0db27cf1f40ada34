import { withdrawalStatus } from '@coffer/contract/codes.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { joinList } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { Card } from '../../../ui/data/Card.tsx'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { DetailList } from '../../../ui/data/DetailList.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { useRead } from '../../kit/api.ts'
import { LogLink, MerchantLink, PaymentLink, usePathId } from '../../kit/links.tsx'
import { Loaded, WithdrawalBadge } from '../../kit/Rows.tsx'
import { listNamedPayments } from './AlreadyPaid.tsx'
import { PayoutHeader } from './PayoutHeader.tsx'
import { RefundDecisions } from './Refunds.tsx'
import { listDecisionDetails, PayoutTransactionsCard } from './Sent.tsx'

type Detail = OperatorData<'GET /api/operator/v1/refunds/:id'>

/** A refund of any merchant: what became of it, and what each of its transactions cost. */
export default function Refund() {
  const id = usePathId()
  const t = useMessages('operator')
  const read = useRead('GET /api/operator/v1/refunds/:id', { params: { id } })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <PayoutHeader
            what={t.refund}
            amount={data.receives}
            payout={data}
            actions={data.status === withdrawalStatus.abnormal && <RefundDecisions refund={data} />}
          />
          <div className="flex flex-col gap-4">
            <Card title={t.refund} className="lg:max-w-3xl">
              <RefundFacts refund={data} />
            </Card>
            <PayoutTransactionsCard read={read} />
          </div>
        </>
      )}
    </Loaded>
  )
}

function RefundFacts({ refund: row }: { refund: Detail }) {
  const t = useMessages('operator')
  const isAbnormal = row.status === withdrawalStatus.abnormal
  return (
    <DetailList
      rows={[
        [t.number, <CopyText key="n" look="whole" value={row.id} />],
        [t.merchant, <MerchantLink key="m" id={row.mchid} />],
        [t.payment, <PaymentLink key="p" id={row.trade_no} />],
        [t.state, <WithdrawalBadge key="s" status={row.status} />],
        [t.receives, <Amount key="r" value={row.receives} unit={row.token} exact />],
        [t.gas, <Amount key="g" value={row.gas} unit={row.token} exact />],
        [t.refundTotal, <Amount key="v" value={row.total} unit={row.token} exact />],
        [t.to, <CopyText key="a" look="groups" value={row.address} />],
        ...(isAbnormal
          ? [
              [
                t.approvals,
                [t.approvalsOf(row.approvals.length, row.people), ...row.approvals.map(each => each.email)].join(' · '),
              ] as const,
            ]
          : []),
        ...listNamedPayments(t, row),
        ...listDecisionDetails(
          t,
          row.decided.map(each => ({
            ...each,
            event: each.event === 'released' ? 'canceled' : each.event,
            who: joinList(each.who),
          })),
        ),
        [t.reason, t.payoutReasons[row.reason] ?? row.reason],
        [t.remark, row.remark],
        [t.time, <Time key="t" seconds={row.created_time} />],
        [t.menu.log, <LogLink key="l" text={row.id} />],
      ]}
    />
  )
}
