import { applicationStatus, type KeyOverlap } from '@coffer/contract/codes.ts'
import { isUrl } from '@coffer/contract/kit/validators.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { Overlap } from './Overlap.tsx'
import type { Secrets } from './SettingsDrawer.tsx'
import type { Application } from './settings.ts'

/** A change of an application that has a dialog of its own. */
export type ApplicationChange =
  | { what: 'renew' | 'end'; application: Application; target: 'secret_key' | 'webhook_secret' }
  | { what: 'notify' | 'enable' | 'delete'; application: Application }

interface Props {
  change: ApplicationChange
  onClose(): void
  onRenewed(secrets: Secrets): void
}

/** The dialog of a change, with its proof. */
export default function Change({ change, onClose, onRenewed }: Props) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const { appid, name, notify_url } = change.application
  const shared = {
    proof: useProof(change.what === 'notify' ? 'notify-url' : 'application'),
    refreshes: ['GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select'],
    onClose,
  } as const
  switch (change.what) {
    case 'renew': {
      const { target } = change
      const key = target === 'secret_key'
      return (
        // The old key stays valid as long as chosen, a day unless another is, so that no shop stands still; both
        // webhook secrets sign for a day.
        <ActionForm<{ keep_seconds: KeyOverlap }, Secrets>
          {...shared}
          danger
          title={key ? t.renewKeyTitle : t.renewWebhookTitle}
          text={key ? t.renewKeyText(name) : t.renewWebhookText(name)}
          verb={t.renew}
          initial={{ keep_seconds: 86_400 }}
          fields={[
            key && {
              name: 'keep_seconds',
              draw: props => <Overlap {...props} legend={t.keepKey} />,
            },
          ]}
          call={(values, proof) => {
            const body = { appid, target, ...(key && values), ...proof }
            return api('PUT /api/v1/user/secret-key/refresh-google-secret', { body })
          }}
          onDone={onRenewed}
        />
      )
    }
    case 'end': {
      const { target } = change
      const key = target === 'secret_key'
      return (
        <ActionForm
          {...shared}
          danger
          title={key ? t.endKey : t.endWebhook}
          text={key ? t.endKeyText(name) : t.endWebhookText(name)}
          verb={t.endNow}
          call={(_values, proof) =>
            api('DELETE /api/v1/user/secret-key/previous', { body: { appid, target, ...proof } })
          }
          done={t.ended}
        />
      )
    }
    case 'notify':
      // A separate call, because its recipient learns of every payment.
      return (
        <ActionForm
          {...shared}
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
              rule: text => text.trim() !== '' && !isUrl(text.trim()) && common.urlAddress,
            },
          ]}
          call={(values, proof) =>
            api('PUT /api/v1/user/secret-key/notify-url', {
              body: { appid, notify_url: values.notify_url.trim(), ...proof },
            })
          }
          done={t.notifySaved}
        />
      )
    case 'enable':
      return (
        <ActionForm
          {...shared}
          title={t.enableTitle}
          text={t.enableText(name)}
          verb={t.enable}
          call={(_values, proof) =>
            api('PUT /api/v1/user/secret-key', { body: { appid, status: applicationStatus.enabled, ...proof } })
          }
          done={t.enabled(name)}
        />
      )
    case 'delete':
      return (
        <ActionForm
          {...shared}
          danger
          title={t.deleteTitle}
          text={t.deleteText(name)}
          verb={t.delete}
          call={(_values, proof) => api('DELETE /api/v1/user/secret-key', { body: { appid, ...proof } })}
          done={t.deleted(name)}
        />
      )
  }
}
