import { useId } from 'react'
import { api, type Data } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Drawer } from '../../ui/feedback/Modal.tsx'
import { SettingsFields } from './SettingsFields.tsx'
import { type Application, changesGuarded, newSettings, settingsBody, settingsOf, settingsRules } from './settings.ts'

export type Secrets = Data<'PUT /api/v1/user/secret-key/refresh-google-secret'>

interface Props {
  /** The application to edit; null creates one. */
  application: Application | null
  onClose(): void
  /** Called with both secrets of a new application. */
  onCreated(secrets: Secrets): void
}

/** Creates or edits an application. */
export default function SettingsDrawer({ application, onClose, onCreated }: Props) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const id = useId()
  const proof = useProof('application')
  const form = useForm(application ? settingsOf(application) : newSettings, settingsRules(t, common))
  const create = () =>
    proof.confirm(async confirmed => {
      const body = { ...settingsBody(form.values), notify_url: form.values.notify_url.trim(), ...confirmed }
      const secrets = await api('POST /api/v1/user/secret-key', { body })
      await refresh('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
      onCreated(secrets)
    })
  const guarded = application === null || changesGuarded(application, form.values)
  const save = async (appid: string) => {
    const send = async (confirmed: object) => {
      await api('PUT /api/v1/user/secret-key', { body: { appid, ...settingsBody(form.values), ...confirmed } })
      await refresh('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
      showToast('success', t.saved)
      onClose()
    }
    await (guarded ? proof.confirm(send) : send({}))
  }
  return (
    <Drawer
      open
      keep
      title={application ? t.editTitle : t.createTitle}
      text={application?.name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={id} look="primary" busy={form.busy}>
            {application ? t.save : t.create}
          </Button>
        </>
      }
    >
      <form
        {...form.formProps(() => (application ? save(application.appid) : create()))}
        id={id}
        className="flex flex-col gap-5"
      >
        <SettingsFields form={form} fresh={application === null} />
        {guarded && (
          <div className="border-t border-line pt-4">
            <ProofFields proof={proof} />
          </div>
        )}
      </form>
    </Drawer>
  )
}
