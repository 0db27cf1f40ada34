import { type KeyScope, keyScopeSettings } from '@coffer/contract/kit/key-scopes.ts'
import { limits } from '@coffer/contract/kit/limits.ts'
import { keyScopeLabels } from '@coffer/contract/labels/key-scopes.ts'
import { showFailureToast } from '../../api/explain.ts'
import { api } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { CollapsibleFields, Fields, type FormFields } from '../../kit/form/Fields.tsx'
import type { Form } from '../../kit/useForm.ts'
import { RadioGroup } from '../../ui/controls/Choice.tsx'
import { FileUpload } from '../../ui/controls/FileUpload.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import { CallbackEventsField } from './CallbackEventsField.tsx'
import type { ApplicationSettingsValues } from './settings.ts'

interface Props {
  form: Form<ApplicationSettingsValues>
  /** A new application, whose notify URL is part of the form. */
  fresh: boolean
  /** An application from before scopes, whose key manages webhook endpoints. */
  hadEndpoints: boolean
  /** Whether the key can be allowed to manage people: several work for the shop, or it is allowed already. */
  hasPeople: boolean
}

/** Fields of a new application that have good defaults. */
const withDefaults = ['tolerance_permille', 'embed_origins', 'ip_whitelist', 'callback_events'] as const

/** Uploads an image and returns its URL. Shows errors and rejects. */
async function uploadPicture(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  try {
    return (await api('POST /api/v1/user/upload', { body })).url
  } catch (error) {
    showFailureToast(error as Error)
    throw error
  }
}

export function SettingsFields({ form, fresh, ...shown }: Props) {
  const t = useMessages('applications')
  const more = <Fields form={form} fields={useMoreFields(shown)} />
  const url = { optional: true, type: 'url', placeholder: 'https://' } as const
  return (
    <>
      <Fields
        form={form}
        fields={[
          {
            name: 'name',
            label: t.name,
            hint: t.nameHint,
            required: true,
            maxLength: limits.applicationNameMax,
            autoComplete: 'off',
          },
          { ...url, name: 'website', label: t.website },
          fresh && { ...url, name: 'notify_url', label: t.notifyUrl, hint: t.notifyHint },
        ]}
      />
      {fresh ? (
        <CollapsibleFields
          title={t.more}
          titleLook="text-sm font-semibold"
          failed={withDefaults.some(name => form.errors[name])}
        >
          <div className="mt-4 flex flex-col gap-5">{more}</div>
        </CollapsibleFields>
      ) : (
        more
      )}
    </>
  )
}

type Shown = Pick<Props, 'hadEndpoints' | 'hasPeople'>

function useMoreFields(shown: Shown): FormFields<ApplicationSettingsValues> {
  const t = useMessages('applications')
  return [
    ...pictureFields(t),
    ...paymentFields(t),
    {
      ...inGroup(t.events),
      name: 'callback_events',
      draw: props => <CallbackEventsField {...props} hint={t.eventsHint} />,
    },
    ...scopeFields(t, shown),
    ...securityFields(t),
    { name: 'remark', label: t.remark, hint: t.remarkHint, optional: true, maxLength: 200 },
  ]
}

const inGroup = (title: string) => ({ group: { title, look: 'section' } }) as const

const pictureFields = (t: Messages<'applications'>): FormFields<ApplicationSettingsValues> => [
  {
    ...inGroup(t.look),
    name: 'logo',
    draw: props => <FileUpload {...props} label={t.logo} recommended="200*200" upload={uploadPicture} />,
  },
  {
    ...inGroup(t.look),
    name: 'payment_logo',
    draw: props => <FileUpload {...props} label={t.paymentLogo} recommended="64*64" upload={uploadPicture} />,
  },
]

const paymentFields = (t: Messages<'applications'>): FormFields<ApplicationSettingsValues> => [
  {
    ...inGroup(t.payments),
    name: 'payment_mode',
    draw: props => (
      <RadioGroup
        {...props}
        legend={t.paymentMode}
        options={['1', '2'].map(value => ({
          value,
          label: t.modes[Number(value)],
          hint: t.modeHints[Number(value)],
        }))}
      />
    ),
  },
  { ...inGroup(t.payments), name: 'mixed_payment', kind: 'switch', label: t.mixedPayment, hint: t.mixedHint },
  {
    ...inGroup(t.payments),
    name: 'tolerance_permille',
    label: t.tolerance,
    hint: t.toleranceHint,
    control: props => (
      <div className="flex items-center gap-2">
        <TextInput {...props} inputMode="decimal" maxLength={4} className="num max-w-20" />
        <span className="text-ink-3">%</span>
      </div>
    ),
  },
  {
    ...inGroup(t.payments),
    name: 'embed_origins',
    kind: 'area',
    label: t.origins,
    hint: t.originsHint,
    optional: true,
    rows: 2,
    spellCheck: false,
    className: 'num',
    placeholder: 'https://shop.example',
  },
]

const securityFields = (t: Messages<'applications'>): FormFields<ApplicationSettingsValues> => {
  const group = inGroup(t.security)
  return [
    { ...group, name: 'ip_whitelist_enabled', kind: 'switch', label: t.ipEnabled },
    {
      ...group,
      name: 'ip_whitelist',
      kind: 'area',
      label: t.ips,
      hint: t.ipsHint,
      spellCheck: false,
      className: 'num',
      placeholder: '203.0.113.7',
    },
  ]
}

/** What the key may do, a switch for each scope. */
const scopeFields = (
  t: Messages<'applications'>,
  { hadEndpoints, hasPeople }: Shown,
): FormFields<ApplicationSettingsValues> => {
  const group = inGroup(t.scopes)
  const labels = keyScopeLabels[language.get()]
  const scope = (of: KeyScope) =>
    ({ ...group, name: keyScopeSettings[of], kind: 'switch', label: labels[of], hint: t.scopeHints[of] }) as const
  return [
    scope('read'),
    scope('orders'),
    { ...group, name: 'marks_allowed', kind: 'switch', label: t.marksAllowed, hint: t.marksHint },
    scope('refunds'),
    scope('payouts'),
    scope('settings'),
    hasPeople && scope('members'),
    hadEndpoints && {
      ...group,
      name: 'endpoints_allowed',
      kind: 'switch',
      label: t.endpointsAllowed,
      hint: t.endpointsHint,
    },
  ]
}
