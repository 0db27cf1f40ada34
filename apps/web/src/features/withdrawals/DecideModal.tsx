import { describeSignedDecision } from '@coffer/contract/approvals/signed-decision.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { WholeAddress } from '../../kit/AddressField.tsx'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { Amount } from '../../ui/data/Values.tsx'
import type { ApprovalDecision, WaitingWithdrawal } from './approvals.ts'

interface Props {
  decision: ApprovalDecision
  rows: readonly WaitingWithdrawal[]
  onClose(): void
}

/** Approves or rejects withdrawals, which are shown in full, with one proof for all of them. */
export default function DecideModal({ decision, rows, onClose }: Props) {
  const t = useMessages('approvals')
  const approves = decision === 'approve'
  const ids = rows.map(({ id }) => id)
  return (
    <ActionForm
      title={(approves ? t.approveTitle : t.rejectTitle)(rows.length)}
      text={approves ? t.approveText : t.rejectText}
      verb={approves ? t.approve : t.reject}
      danger={!approves}
      initial={{ reason: '' }}
      fields={
        approves
          ? []
          : [
              {
                name: 'reason',
                label: t.reason,
                hint: t.reasonHint,
                required: true,
                maxLength: 200,
                autoComplete: 'off',
              },
            ]
      }
      proof={useProof('approval', { data: () => describeSignedDecision(decision, rows) })}
      call={({ reason }, proof) =>
        api('POST /api/v1/approval/decide', {
          body: { ids, decision, ...(!approves && { reason: reason.trim() }), ...proof },
        })
      }
      refreshes={[
        'GET /api/v1/approval',
        'GET /api/v1/approval/count',
        'GET /api/v1/account/withdrawal-list',
        'GET /api/v1/account/withdrawal',
      ]}
      done={(approves ? t.approved : t.rejected)(rows.length)}
      onClose={onClose}
    >
      <ul className="relative max-h-72 divide-y divide-line overflow-y-auto">
        {rows.map(({ id, amount, token, chain, address }) => (
          <li key={id} className="py-2.5 first:pt-0 last:pb-0">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
              <Amount exact value={amount} unit={token} className="font-semibold" />
              <span className="text-[13px] text-ink-3">{chain}</span>
            </span>
            <WholeAddress value={address} />
          </li>
        ))}
      </ul>
    </ActionForm>
  )
}
