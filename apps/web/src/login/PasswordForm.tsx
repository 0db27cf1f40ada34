import { isEmail } from '@coffer/contract/kit/validators.ts'
import type { ReactNode } from 'react'
import { encodePassword } from '../api/encode.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { PasswordInput } from '../ui/controls/PasswordInput.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { FormError } from './Heading.tsx'

interface Props {
  email?: string
  onEmail?(email: string): void
  /** Sends email and encoded password. */
  onSend(body: { email: string; password: string }): Promise<unknown>
  /** Drawn below the fields. */
  links?: ReactNode
  /** Drawn below the button. */
  children?: ReactNode
}

/** Email and password. */
export function PasswordForm({ email = '', onEmail, onSend, links, children }: Props) {
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
  const send = ({ email: typed, password }: typeof form.values) =>
    onSend({ email: typed.trim(), password: encodePassword(password) })
  return (
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
              onEmail?.(text)
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
      {links}
      <FormError>{form.problem}</FormError>
      <Button type="submit" look="primary" size="large" busy={form.busy}>
        {t.signIn}
      </Button>
      {children}
    </form>
  )
}
