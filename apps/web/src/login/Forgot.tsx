import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { Heading, ViewLink } from './Heading.tsx'
import { type NewPassword, NewPasswordFields, newPasswordBody, newPasswordRules } from './NewPasswordFields.tsx'
import type { LoginViewProps } from './view.ts'

export default function Forgot({ email, onEmail, onNews }: LoginViewProps) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const form = useForm<NewPassword>({ email, code: '', password: '', confirm_password: '' }, newPasswordRules(common))
  const send = async (values: NewPassword) => {
    await api('PUT /api/v1/public/password', { body: newPasswordBody(values), token: null })
    onNews(more.passwordSet)
    location.hash = ''
  }
  return (
    <>
      <Heading title={t.titles.forgot} text={more.forgotText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <NewPasswordFields form={form} purpose={emailCodePurpose.retrievePassword} onEmail={onEmail} />
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {more.setPassword}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{more.backToSignIn}</ViewLink>
      </p>
    </>
  )
}
