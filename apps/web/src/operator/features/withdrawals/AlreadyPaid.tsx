import type { OperatorData } from '@coffer/contract/operator/index.ts'
import type { Messages } from '../../../i18n/areas.ts'
import { CopyText } from '../../../ui/data/CopyText.tsx'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { joinNames } from '../../kit/persons.ts'
import { ApprovalDetails } from './PayoutText.tsx'

type Payout = Parameters<typeof ApprovalDetails>[0]['payout'] &
  Pick<OperatorData<'GET /api/operator/v1/refunds/:id'>, 'id' | 'updated_time' | 'paid_by'>

type PaidCall = 'POST /api/operator/v1/withdrawals/:id/paid' | 'POST /api/operator/v1/refunds/:id/paid'

/** Names the transaction that has paid an abnormal payout; the one that another operator named is filled in. */
export function AlreadyPaid({ call, payout }: { call: PaidCall; payout: Payout }) {
  const [named] = payout.paid_by
  return (
    <ActionButton
      call={call}
      params={{ id: payout.id }}
      known={{ updated_time: payout.updated_time }}
      {...(named && { additions: { txid: { initial: named.txid } } })}
    >
      <ApprovalDetails payout={{ ...payout, approvals: named?.approvals ?? [] }} />
    </ActionButton>
  )
}

/** Facts about the transactions that operators have named, while another one must name the same. */
export const listNamedPayments = (t: Messages<'operator'>, { paid_by }: Pick<Payout, 'paid_by'>) =>
  paid_by.map(
    ({ txid, approvals }) =>
      [
        t.namedPayment,
        <span key={txid}>
          <CopyText look="groups" value={txid} />
          <span className="block">{joinNames(approvals)}</span>
        </span>,
      ] as const,
  )
