import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { browserZone } from '../lib/zone.ts'
import { Button } from '../ui/controls/Button.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import { type NewPassword, NewPasswordFields, newPasswordBody, newPasswordRules } from './NewPasswordFields.tsx'
import { ThirdPartySignIn } from './ThirdPartySignIn.tsx'
import type { LoginViewProps } from './view.ts'

export default function Register({ config, email, onEmail, onDone }: LoginViewProps) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const form = useForm<NewPassword>({ email, code: '', password: '', confirm_password: '' }, newPasswordRules(common), {
    banner: true,
  })
  const send = async (values: NewPassword) => {
    const body = { ...newPasswordBody(values), time_zone: browserZone() }
    onDone(await api('POST /api/v1/public/register', { body, token: null }))
  }
  return (
    <>
      <Heading title={t.register} text={more.registerText} />
      <ThirdPartySignIn config={config} onDone={onDone} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <NewPasswordFields form={form} purpose={emailCodePurpose.register} onEmail={onEmail} />
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
