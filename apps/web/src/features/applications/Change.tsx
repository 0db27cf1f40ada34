import { applicationStatus, type KeyOverlapSeconds } from '@coffer/contract/codes.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { KeyOverlapField } from './KeyOverlapField.tsx'
import type { RenewedSecrets } from './SettingsDrawer.tsx'
import type { Application } from './settings.ts'

type Target = 'secret_key' | 'webhook_secret'

/** A change of an application that has a dialog of its own. */
export type ApplicationChange =
  | { what: 'renew' | 'end'; application: Application; target: Target }
  | { what: 'notify' | 'enable' | 'delete'; application: Application }

interface Props {
  change: ApplicationChange
  onClose(): void
  onRenewed(secrets: RenewedSecrets): void
}

/** The dialog of a change, with its proof. */
export default function Change({ change, onClose, onRenewed }: Props) {
  const { application } = change
  switch (change.what) {
    case 'renew':
      return <Renew application={application} target={change.target} onClose={onClose} onRenewed={onRenewed} />
    case 'end':
      return <End application={application} target={change.target} onClose={onClose} />
    case 'notify':
      return <NotifyUrl application={application} onClose={onClose} />
    case 'enable':
      return <Enable application={application} onClose={onClose} />
    case 'delete':
      return <Delete application={application} onClose={onClose} />
  }
}

const refreshes = ['GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select'] as const

interface ChangeProps {
  application: Application
  onClose(): void
}

/**
 * Makes a new key or webhook secret. The old key stays valid as long as chosen, a day unless another is, so that no
 * shop stands still; both webhook secrets sign for a day.
 */
function Renew({
  application: { appid, name },
  target,
  onClose,
  onRenewed,
}: ChangeProps & { target: Target; onRenewed(secrets: RenewedSecrets): void }) {
  const t = useMessages('applications')
  const isKey = target === 'secret_key'
  return (
    <ActionForm<{ keep_seconds: KeyOverlapSeconds }, RenewedSecrets>
      danger
      title={isKey ? t.renewKeyTitle : t.renewWebhookTitle}
      text={isKey ? t.renewKeyText(name) : t.renewWebhookText(name)}
      verb={t.renew}
      initial={{ keep_seconds: 86_400 }}
      fields={[isKey && { name: 'keep_seconds', draw: props => <KeyOverlapField {...props} legend={t.keepKey} /> }]}
      proof={useProof('application')}
      call={(values, proof) =>
        api('PUT /api/v1/user/secret-key/refresh-google-secret', {
          body: { appid, target, ...(isKey && values), ...proof },
        })
      }
      refreshes={refreshes}
      onDone={onRenewed}
      onClose={onClose}
    />
  )
}

/** Ends the previous key or webhook secret before its time. */
function End({ application: { appid, name }, target, onClose }: ChangeProps & { target: Target }) {
  const t = useMessages('applications')
  const isKey = target === 'secret_key'
  return (
    <ActionForm
      danger
      title={isKey ? t.endKey : t.endWebhook}
      text={isKey ? t.endKeyText(name) : t.endWebhookText(name)}
      verb={t.endNow}
      proof={useProof('application')}
      call={(_values, proof) => api('DELETE /api/v1/user/secret-key/previous', { body: { appid, target, ...proof } })}
      refreshes={refreshes}
      done={t.ended}
      onClose={onClose}
    />
  )
}

/** Changes where callbacks go: a call of its own, because its recipient learns of every payment. */
function NotifyUrl({ application: { appid, name, notify_url }, onClose }: ChangeProps) {
  const t = useMessages('applications')
  const { urlAddress } = useMessages('common')
  return (
    <ActionForm
      title={t.notifyTitle}
      text={t.notifyText(name)}
      verb={t.save}
      initial={{ notify_url }}
      fields={[
        {
          name: 'notify_url',
          label: t.notifyUrl,
          type: 'url',
          placeholder: 'https://',
          rule: text => text.trim() !== '' && !isUrl(text.trim()) && urlAddress,
        },
      ]}
      proof={useProof('notify-url')}
      call={(values, proof) =>
        api('PUT /api/v1/user/secret-key/notify-url', {
          body: { appid, notify_url: values.notify_url.trim(), ...proof },
        })
      }
      refreshes={refreshes}
      done={t.notifySaved}
      onClose={onClose}
    />
  )
}

function Enable({ application: { appid, name }, onClose }: ChangeProps) {
  const t = useMessages('applications')
  const status = applicationStatus.enabled
  return (
    <ActionForm
      title={t.enableTitle}
      text={t.enableText(name)}
      verb={t.enable}
      proof={useProof('application')}
      call={(_values, proof) => api('PUT /api/v1/user/secret-key', { body: { appid, status, ...proof } })}
      refreshes={refreshes}
      done={t.enabled(name)}
      onClose={onClose}
    />
  )
}

function Delete({ application: { appid, name }, onClose }: ChangeProps) {
  const t = useMessages('applications')
  return (
    <ActionForm
      danger
      title={t.deleteTitle}
      text={t.deleteText(name)}
      verb={t.delete}
      proof={useProof('application')}
      call={(_values, proof) => api('DELETE /api/v1/user/secret-key', { body: { appid, ...proof } })}
      refreshes={refreshes}
      done={t.deleted(name)}
      onClose={onClose}
    />
  )
}
