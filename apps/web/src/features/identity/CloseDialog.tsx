import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import type { DialogProps } from './dialogs.ts'

/** Closes the account permanently. */
export function CloseDialog({ onClose }: DialogProps) {
  const t = useMessages('identity')
  return (
    <ProofModal
      danger
      title={t.closeTitle}
      text={t.closeConfirm}
      verb={t.close}
      action="close-account"
      onClose={onClose}
      onConfirm={async ({ proof }) => {
        if (!proof) return
        await api('DELETE /api/v1/user', { body: { proof } })
        forgetToken()
        goToLogin()
      }}
    />
  )
}
