import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import type { Application } from './settings.ts'

interface Props {
  application: Application
  target: 'secret_key' | 'webhook_secret'
  onClose(): void
}

/** Ends a replaced secret before its time. */
export default function EndPreviousModal({ application, target, onClose }: Props) {
  const t = useMessages('applications')
  const { appid, name } = application
  return (
    <ProofModal
      title={target === 'secret_key' ? t.endKey : t.endWebhook}
      text={target === 'secret_key' ? t.endKeyText(name) : t.endWebhookText(name)}
      verb={t.endNow}
      danger
      action="application"
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('DELETE /api/v1/user/secret-key/previous', { body: { appid, target, ...confirmed } })
        await refresh('GET /api/v1/user/secret-key/list')
        showToast('success', t.ended)
        onClose()
      }}
    />
  )
}
