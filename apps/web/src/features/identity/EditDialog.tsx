import { isText, isUrl } from '@coffer/contract/validators.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useForm } from '../../kit/useForm.ts'
import { zoneNames } from '../../lib/zone.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Public merchant details, and the time zone. */
export function EditDialog({ user, onClose }: DialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const form = useForm(
    { name: user.name, website: user.website, time_zone: user.time_zone, ...user.address, ...user.socials },
    {
      name: text => !isText(text) && common.required,
      website: text => text.trim() !== '' && !isUrl(text.trim()) && common.urlAddress,
    },
  )
  const { values, errors, set } = form
  const send = async () => {
    const { name, website, time_zone, street, city, country, telegram, twitter, facebook } = values
    const body = {
      name: name.trim(),
      website: website.trim(),
      time_zone,
      address: { street, city, country },
      socials: { telegram, twitter, facebook },
    }
    await api('PUT /api/v1/user/edit', { body })
    await done(t.saved, onClose)
  }
  const texts = [
    ['street', t.street],
    ['city', t.city],
    ['country', t.country],
    ['telegram', 'Telegram'],
    ['twitter', 'X'],
    ['facebook', 'Facebook'],
  ] as const
  return (
    <FormModal title={t.editTitle} verb={common.save} form={form} onSend={send} onClose={onClose}>
      <Field label={t.name} error={errors.name} required>
        {control => <TextInput {...control} maxLength={64} value={values.name} onChange={set('name')} />}
      </Field>
      <Field label={t.website} error={errors.website}>
        {control => (
          <TextInput {...control} type="url" placeholder="https://" value={values.website} onChange={set('website')} />
        )}
      </Field>
      <Field label={t.timeZone}>
        {control => (
          <Select
            {...control}
            value={values.time_zone}
            options={zoneNames(user.time_zone).map(zone => ({ value: zone, label: zone }))}
            onChange={set('time_zone')}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        {texts.map(([name, label]) => (
          <Field key={name} label={label}>
            {control => <TextInput {...control} maxLength={100} value={values[name]} onChange={set(name)} />}
          </Field>
        ))}
      </div>
    </FormModal>
  )
}
