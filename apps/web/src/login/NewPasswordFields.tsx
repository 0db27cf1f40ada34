import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { isEmail, isPassword, isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { encodePassword } from '../api/encode.ts'
import type { Messages } from '../i18n/areas.ts'
import { useMessages } from '../i18n/messages.ts'
import type { FormRules } from '../kit/rules.ts'
import type { useForm } from '../kit/useForm.ts'
import { Field } from '../ui/controls/Field.tsx'
import { PasswordInput } from '../ui/controls/PasswordInput.tsx'
import { CodeFields, codeBody, type MailedCode } from './CodeFields.tsx'

export interface NewPassword extends MailedCode {
  password: string
  confirm_password: string
}

/** Rules shared by registration and password reset. */
export const newPasswordRules = (common: Messages<'common'>): FormRules<NewPassword> => ({
  email: text => !isEmail(text.trim()) && common.validaEmail,
  code: text => !isSixDigitCode(text) && common.validaCode,
  password: text => !isPassword(text) && common.validaPwd,
  confirm_password: (text, { password }) => text !== password && common.passwordsDiffer,
})

export const newPasswordBody = ({ password, confirm_password, ...mailed }: NewPassword) => ({
  ...codeBody(mailed),
  password: encodePassword(password),
  confirm_password: encodePassword(confirm_password),
})

interface Props {
  form: ReturnType<typeof useForm<NewPassword>>
  purpose: typeof emailCodePurpose.register | typeof emailCodePurpose.retrievePassword
  onEmail(email: string): void
}

/** Email, the code sent to it, and a new password entered twice. */
export function NewPasswordFields({ form, purpose, onEmail }: Props) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const { values, errors, set } = form
  return (
    <>
      <CodeFields form={form} purpose={purpose} onEmail={onEmail} />
      <Field
        label={purpose === emailCodePurpose.register ? t.password : more.newPassword}
        hint={more.passwordHint}
        error={errors.password}
        required
      >
        {control => (
          <PasswordInput
            {...control}
            name="new-password"
            autoComplete="new-password"
            value={values.password}
            onChange={set('password')}
          />
        )}
      </Field>
      <Field label={more.confirmPassword} error={errors.confirm_password} required>
        {control => (
          <PasswordInput
            {...control}
            name="confirm-password"
            autoComplete="new-password"
            value={values.confirm_password}
            onChange={set('confirm_password')}
          />
        )}
      </Field>
    </>
  )
}
