import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { useState } from 'react'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { browserZone, zoneNames, zoneText } from '../lib/zone.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Combobox } from '../ui/controls/Combobox.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import { type NewPassword, NewPasswordFields, newPasswordBody, newPasswordRules } from './NewPasswordFields.tsx'
import { ThirdParty } from './ThirdParty.tsx'
import type { ViewProps } from './view.ts'

export default function Register({ config, email, onEmail, onDone }: ViewProps) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const form = useForm<NewPassword>({ email, code: '', password: '', confirm_password: '' }, newPasswordRules(common), {
    banner: true,
  })
  const [zone, setZone] = useState(browserZone)
  const send = async (values: NewPassword) => {
    onDone(
      await api('POST /api/v1/public/register', { body: { ...newPasswordBody(values), time_zone: zone }, token: null }),
    )
  }
  return (
    <>
      <Heading title={t.register} text={more.registerText} />
      <ThirdParty config={config} onDone={onDone} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <NewPasswordFields form={form} purpose={emailCodePurpose.register} onEmail={onEmail} />
        <Field label={common.timeZone} hint={more.timeZoneHint}>
          {control => (
            <Combobox
              {...control}
              value={zone}
              items={zoneNames(zone)}
              text={zoneText}
              itemKey={zoneText}
              onChange={name => name !== null && setZone(name)}
            />
          )}
        </Field>
        <FormError>{form.problem}</FormError>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.register}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px] text-ink-2">
        {more.haveAccount} <ViewLink to="signIn">{t.signIn}</ViewLink>
      </p>
    </>
  )
}
