import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import type { Application } from './settings.ts'

export default function DeleteModal({ application, onClose }: { application: Application; onClose(): void }) {
  const t = useMessages('applications')
  const { appid, name } = application
  return (
    <ProofModal
      title={t.deleteTitle}
      text={t.deleteText(name)}
      verb={t.delete}
      danger
      action="application"
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('DELETE /api/v1/user/secret-key', { body: { appid, ...confirmed } })
        await refresh('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
        showToast('success', t.deleted(name))
        onClose()
      }}
    />
  )
}
