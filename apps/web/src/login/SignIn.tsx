import { loginType } from '@coffer/contract/codes.ts'
import { isEmail } from '@coffer/contract/validators.ts'
import { encodePassword } from '../api/encode.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { PasswordInput } from '../ui/controls/PasswordInput.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import { ThirdParty } from './ThirdParty.tsx'
import type { ViewProps } from './view.ts'

export function SignIn({ config, email, onEmail, onDone }: ViewProps) {
  const t = useMessages('login')
  const common = useMessages('common')
  const form = useForm(
    { email, password: '' },
    {
      email: text => !isEmail(text.trim()) && common.validaEmail,
      password: text => text === '' && t.passwordNeeded,
    },
    { banner: true },
  )
  const send = async ({ email: typed, password }: typeof form.values) => {
    const body = { type: loginType.login, email: typed.trim(), password: encodePassword(password) }
    onDone(await api('POST /api/v1/public/login', { body, token: null }))
  }
  return (
    <>
      <Heading title={t.signIn} text={t.signInText} />
      <ThirdParty config={config} onDone={onDone} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <Field label={t.email} error={form.errors.email} required>
          {control => (
            <TextInput
              {...control}
              type="email"
              name="email"
              autoComplete="username webauthn"
              value={form.values.email}
              onChange={text => {
                form.set('email')(text)
                onEmail(text)
              }}
            />
          )}
        </Field>
        <Field label={t.password} error={form.errors.password} required>
          {control => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              value={form.values.password}
              onChange={form.set('password')}
            />
          )}
        </Field>
        <div className="-mt-2 flex flex-wrap justify-between gap-x-4 text-[13px]">
          <ViewLink to="forgot">{t.forgot}</ViewLink>
          <ViewLink to="more">{t.more}</ViewLink>
        </div>
        <FormError>{form.problem}</FormError>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.signIn}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px] text-ink-2">
        {t.noAccount} <ViewLink to="register">{t.register}</ViewLink>
      </p>
    </>
  )
}
