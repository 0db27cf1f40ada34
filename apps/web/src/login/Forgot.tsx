import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { showToast } from '../lib/toast.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeFields, type NewPassword, newPasswordBody, newPasswordRules } from './CodeFields.tsx'
import { Heading, TextButton } from './Heading.tsx'
import type { ViewProps } from './view.ts'

export function Forgot({ email, onEmail, onView }: ViewProps) {
  const t = useMessages('login')
  const common = useMessages('common')
  const form = useForm<NewPassword>({ email, code: '', password: '', confirm_password: '' }, newPasswordRules(common))
  const send = async (values: NewPassword) => {
    await api('PUT /api/v1/public/password', { body: newPasswordBody(values), token: null })
    showToast('success', t.passwordSet)
    onView('signIn')
  }
  return (
    <>
      <Heading title={t.forgotTitle} text={t.forgotText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <CodeFields form={form} purpose={emailCodePurpose.retrievePassword} onEmail={onEmail} />
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.setPassword}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px]">
        <TextButton onClick={() => onView('signIn')}>{t.backToSignIn}</TextButton>
      </p>
    </>
  )
}
