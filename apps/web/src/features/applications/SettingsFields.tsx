import { chosenEvents } from '@coffer/contract/codes.ts'
import { limits } from '@coffer/contract/limits.ts'
import { type ReactNode, useState } from 'react'
import { explainFailure } from '../../api/explain.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { useForm } from '../../kit/useForm.ts'
import { Checkbox, RadioGroup, Switch } from '../../ui/controls/Choice.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { FileUpload } from '../../ui/controls/FileUpload.tsx'
import { TextArea, TextInput } from '../../ui/controls/TextInput.tsx'
import type { Settings } from './settings.ts'

const logoSize = '200*200'
const paymentLogoSize = '64*64'

interface Props {
  form: ReturnType<typeof useForm<Settings>>
  /** A new application, whose notify URL is part of the form. */
  fresh: boolean
}

export function SettingsFields({ form, fresh }: Props) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const { values, errors, set } = form
  return (
    <>
      <Field label={t.name} hint={t.nameHint} error={errors.name} required>
        {control => (
          <TextInput
            {...control}
            maxLength={limits.applicationNameMax}
            autoComplete="off"
            value={values.name}
            onChange={set('name')}
          />
        )}
      </Field>
      <Field label={t.website} optional={common.optional} error={errors.website}>
        {control => (
          <TextInput {...control} type="url" placeholder="https://" value={values.website} onChange={set('website')} />
        )}
      </Field>
      {fresh && (
        <Field label={t.notifyUrl} optional={common.optional} hint={t.notifyHint} error={errors.notify_url}>
          {control => (
            <TextInput
              {...control}
              type="url"
              placeholder="https://"
              value={values.notify_url}
              onChange={set('notify_url')}
            />
          )}
        </Field>
      )}
      {fresh ? (
        <More name={t.more} failed={rest.some(name => errors[name])}>
          <Rest form={form} />
        </More>
      ) : (
        <Rest form={form} />
      )}
    </>
  )
}

/** Fields of a new application that have good defaults. */
const rest = ['tolerance_permille', 'ip_whitelist', 'callback_events'] as const

/** Fields behind a title, open at once when one of them was refused. */
function More({ name, failed, children }: { name: string; failed: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details open={open || failed} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-sm text-sm font-semibold">{name}</summary>
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </details>
  )
}

function Rest({ form }: Pick<Props, 'form'>) {
  const t = useMessages('applications')
  const common = useMessages('common')
  const { values, errors, set } = form
  return (
    <>
      <Group title={t.look}>
        <FileUpload
          label={t.logo}
          value={values.logo}
          recommended={logoSize}
          upload={uploadPicture}
          onChange={set('logo')}
        />
        <FileUpload
          label={t.paymentLogo}
          value={values.payment_logo}
          recommended={paymentLogoSize}
          upload={uploadPicture}
          onChange={set('payment_logo')}
        />
      </Group>
      <Group title={t.payments}>
        <RadioGroup
          legend={t.paymentMode}
          value={values.payment_mode}
          options={['1', '2'].map(mode => ({
            value: mode,
            label: t.modes[Number(mode)],
            hint: t.modeHints[Number(mode)],
          }))}
          onChange={set('payment_mode')}
        />
        <Switch
          label={t.mixedPayment}
          hint={t.mixedHint}
          checked={values.mixed_payment}
          onChange={set('mixed_payment')}
        />
        <Field label={t.tolerance} hint={t.toleranceHint} error={errors.tolerance_permille}>
          {control => (
            <div className="flex items-center gap-2">
              <TextInput
                {...control}
                inputMode="numeric"
                maxLength={2}
                className="num max-w-20"
                value={values.tolerance_permille}
                onChange={set('tolerance_permille')}
              />
              <span className="text-ink-3">‰</span>
            </div>
          )}
        </Field>
      </Group>
      <Events form={form} />
      <Group title={t.security}>
        <Switch label={t.ipEnabled} checked={values.ip_whitelist_enabled} onChange={set('ip_whitelist_enabled')} />
        <Field label={t.ips} hint={t.ipsHint} error={errors.ip_whitelist}>
          {control => (
            <TextArea
              {...control}
              spellCheck={false}
              className="num"
              placeholder="203.0.113.7"
              value={values.ip_whitelist}
              onChange={set('ip_whitelist')}
            />
          )}
        </Field>
        <Switch
          label={t.payoutsAllowed}
          hint={t.payoutsHint}
          checked={values.payouts_allowed}
          onChange={set('payouts_allowed')}
        />
      </Group>
      <Field label={t.remark} hint={t.remarkHint} optional={common.optional}>
        {control => <TextInput {...control} maxLength={200} value={values.remark} onChange={set('remark')} />}
      </Field>
    </>
  )
}

/** The events that are sent to the notify URL. */
function Events({ form: { values, errors, set } }: Pick<Props, 'form'>) {
  const t = useMessages('applications')
  const { events } = useMessages('callbacks')
  const chosen = values.callback_events
  const choose = set('callback_events')
  return (
    <Group title={t.events}>
      <p className="text-xs text-ink-3">{t.eventsHint}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        {chosenEvents.map(event => (
          <Checkbox
            key={event}
            label={events[event]}
            hint={<code>{event}</code>}
            checked={chosen.includes(event)}
            onChange={on => choose(on ? [...chosen, event] : chosen.filter(each => each !== event))}
          />
        ))}
      </div>
      {errors.callback_events && (
        <p role="alert" className="text-xs text-bad">
          {errors.callback_events}
        </p>
      )}
    </Group>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="flex flex-col gap-4 border-t border-line pt-4">
    <legend className="float-left w-full text-sm font-semibold">{title}</legend>
    {children}
  </fieldset>
)

/** Uploads an image and returns its URL. Shows errors and rejects. */
async function uploadPicture(file: File): Promise<string> {
  const body = new FormData()
  body.append('file', file)
  try {
    return (await api('POST /api/v1/user/upload', { body })).url
  } catch (error) {
    explainFailure(error as Error)
    throw error
  }
}
