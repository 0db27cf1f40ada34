import { applicationStatus } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import type { Application } from './settings.ts'

/** Enables an application, which revives its key. */
export default function EnableModal({ application, onClose }: { application: Application; onClose(): void }) {
  const t = useMessages('applications')
  const { appid, name } = application
  return (
    <ProofModal
      title={t.enableTitle}
      text={t.enableText(name)}
      verb={t.enable}
      action="application"
      onClose={onClose}
      onConfirm={async confirmed => {
        await api('PUT /api/v1/user/secret-key', { body: { appid, status: applicationStatus.enabled, ...confirmed } })
        await refresh('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
        showToast('success', t.enabled(name))
        onClose()
      }}
    />
  )
}
