import { type KeyScope, listKeyScopes } from '@coffer/contract/kit/key-scopes.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type RouteData } from '../../api/index.ts'
import { apiQuery, invalidateCalls } from '../../api/query.ts'
import { useMessages } from '../../i18n/messages.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { SettingsFields } from './SettingsFields.tsx'
import {
  type Application,
  buildSettingsRules,
  emptyApplicationSettings,
  hasGuardedChange,
  toApplicationSettings,
  toSettingsBody,
} from './settings.ts'

export type RenewedSecrets = RouteData<'PUT /api/v1/user/secret-key/refresh-google-secret'>
export type ApplicationSecrets = RenewedSecrets & {
  /** What the key may do. */
  scopes: readonly KeyScope[]
}

interface Props {
  /** The application to edit; null creates one. */
  application: Application | null
  onClose(): void
  /** Called with both secrets of a new application. */
  onCreated(secrets: ApplicationSecrets): void
}

/** Creates or edits an application. */
export default function SettingsDrawer({ application, onClose, onCreated }: Props) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const { data: user } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  const proof = useProof('application')
  const form = useForm(
    application ? toApplicationSettings(application) : emptyApplicationSettings,
    buildSettingsRules(t, common),
  )
  const guarded = application === null || hasGuardedChange(application, form.values)
  const refreshLists = () => invalidateCalls('GET /api/v1/user/secret-key/list', 'GET /api/v1/user/secret-key/select')
  const create = async (confirmed: object) => {
    const body = { ...toSettingsBody(form.values), notify_url: form.values.notify_url.trim(), ...confirmed }
    const secrets = await api('POST /api/v1/user/secret-key', { body })
    await refreshLists()
    onCreated({ ...secrets, scopes: listKeyScopes(form.values) })
  }
  const save = async (appid: string, confirmed: object) => {
    await api('PUT /api/v1/user/secret-key', { body: { appid, ...toSettingsBody(form.values), ...confirmed } })
    await refreshLists()
    showToast('success', t.saved)
    onClose()
  }
  const send = (confirmed: object) => (application ? save(application.appid, confirmed) : create(confirmed))
  return (
    <FormDialog
      drawer
      title={application ? t.editTitle : t.createTitle}
      text={application?.name}
      verb={application ? t.save : t.create}
      form={form}
      proof={guarded && proof}
      onSend={() => (guarded ? proof.confirm(send) : send({}))}
      onClose={onClose}
    >
      <SettingsFields
        form={form}
        fresh={application === null}
        hadEndpoints={application?.endpoints_allowed ?? false}
        hasPeople={user?.member?.role === 'owner' || application?.members_allowed === true}
      />
    </FormDialog>
  )
}
