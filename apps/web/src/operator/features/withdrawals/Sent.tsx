import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { withNote } from '../../../i18n/listed.ts'
import { useMessages } from '../../../i18n/messages.ts'
import { TransactionHash } from '../../../ui/data/TransactionHash.tsx'
import { Amount, Time } from '../../../ui/data/Values.tsx'
import { Badge } from '../../../ui/feedback/Badge.tsx'
import { type QueryState, RowsCard } from '../../kit/Rows.tsx'

type Sent = Pick<OperatorData<'GET /api/operator/v1/refunds/:id'>, 'transactions' | 'fee_token'>

/** What became of a transaction: a fee is lost with one that reverted. */
const kinds = {
  assigned: 'closed',
  sent: 'processing',
  in_block: 'processing',
  paid: 'success',
  reverted: 'error',
  void: 'closed',
} as const

/** The transactions of a payout, lost ones too, with the network fee of each. */
export function PayoutTransactionsCard({ read }: { read: QueryState<Sent> }) {
  const t = useMessages('operator')
  return (
    <RowsCard
      title={t.transactions}
      columns={[
        { title: t.time, cell: row => <Time seconds={row.updated_time} /> },
        { title: t.state, cell: row => <Badge kind={kinds[row.state]}>{t.sentStates[row.state]}</Badge> },
        {
          title: t.transaction,
          cell: row => <TransactionHash txid={row.txid} url={row.explorer} label={t.transaction} />,
        },
        {
          title: t.networkFee,
          align: 'end',
          cell: row => row.fee && <Amount value={row.fee} unit={read.data?.fee_token ?? ''} exact />,
        },
      ]}
      read={read}
      list="transactions"
      by={['txid', 'updated_time']}
      empty={t.notSent}
    />
  )
}

/** Facts about what operators decided, the last first. */
export const listDecisionDetails = (
  t: Messages<'operator'>,
  decided: readonly { event: string; who: string; created_time: number }[],
) =>
  decided.map(
    ({ event, who, created_time }, index) =>
      [
        withNote(t.decided[event] ?? event, index > 0 ? decided.length - index : ''),
        <span key={created_time}>
          {who} · <Time seconds={created_time} />
        </span>,
      ] as const,
  )
