import { api } from '../../api/index.ts'
import { queryClient } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import type { WithdrawalRule } from './policy.ts'

/** Saves the policy with a proof. */
export default function PolicyModal({ rules, onClose }: { rules: WithdrawalRule[]; onClose(): void }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.policySave}
      text={t.saveNote}
      verb={common.save}
      proof={useProof('withdrawal-settings')}
      call={async (_values, proof) => {
        const data = await api('PUT /api/v1/account/withdrawal-policy', { body: { rules, ...proof } })
        queryClient.setQueryData(['GET /api/v1/account/withdrawal-policy', {}], data)
        return data
      }}
      refreshes={['GET /api/v1/account/cost']}
      done={({ pending }) => (pending ? t.policyLater : t.policySaved)}
      onClose={onClose}
    />
  )
}
