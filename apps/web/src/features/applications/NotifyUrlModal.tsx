import { isUrl } from '@coffer/contract/validators.ts'
import { useState } from 'react'
import { api, Refused } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofModal } from '../../kit/proof/ProofModal.tsx'
import { showToast } from '../../lib/toast.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import type { Application } from './settings.ts'

/** Changes the notify URL. A separate call, because its recipient learns of every payment. */
export default function NotifyUrlModal({ application, onClose }: { application: Application; onClose(): void }) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const { appid, name } = application
  const [url, setUrl] = useState(application.notify_url)
  const [error, setError] = useState<string | null>(null)
  const ready = () => {
    const fits = url.trim() === '' || isUrl(url.trim())
    setError(fits ? null : common.urlAddress)
    return fits
  }
  return (
    <ProofModal
      title={t.notifyTitle}
      text={t.notifyText(name)}
      verb={t.save}
      action="notify-url"
      ready={ready}
      onClose={onClose}
      onConfirm={async confirmed => {
        try {
          const body = { appid, notify_url: url.trim(), ...confirmed }
          await api('PUT /api/v1/user/secret-key/notify-url', { body })
        } catch (thrown) {
          if (thrown instanceof Refused && thrown.field === 'notify_url') setError(thrown.message)
          throw thrown
        }
        await refresh('GET /api/v1/user/secret-key/list')
        showToast('success', t.notifySaved)
        onClose()
      }}
    >
      <Field label={t.notifyUrl} error={error}>
        {control => (
          <TextInput
            {...control}
            type="url"
            placeholder="https://"
            value={url}
            onChange={text => {
              setUrl(text)
              setError(null)
            }}
          />
        )}
      </Field>
    </ProofModal>
  )
}
