import { api } from '../../api/index.ts'
import { queryClient, refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import type { Rule } from './policy.ts'

/** Saves the policy with a proof. */
export default function PolicyModal({ rules, onClose }: { rules: Rule[]; onClose(): void }) {
  const t = useMessages('withdrawals')
  const common = useMessages('common')
  return (
    <ProofModal
      title={t.policySave}
      text={t.saveNote}
      verb={common.save}
      action="withdrawal-settings"
      onClose={onClose}
      onConfirm={async confirmed => {
        const data = await api('PUT /api/v1/account/withdrawal-policy', { body: { rules, ...confirmed } })
        queryClient.setQueryData(['GET /api/v1/account/withdrawal-policy', {}], data)
        void refresh('GET /api/v1/account/cost')
        showToast('success', data.pending ? t.policyLater : t.policySaved)
        onClose()
      }}
    />
  )
}
