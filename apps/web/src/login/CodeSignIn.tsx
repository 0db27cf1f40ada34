import { emailCodePurpose, loginType } from '@coffer/contract/codes.ts'
import { isCode, isEmail } from '@coffer/contract/validators.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeFields, codeBody, type MailedCode } from './CodeFields.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import type { ViewProps } from './view.ts'

/** Sign-in with a code sent by email, for accounts without a password or when it is slowed down. */
export default function CodeSignIn({ email, onEmail, onDone }: ViewProps) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  const common = useMessages('common')
  const form = useForm<MailedCode>(
    { email, code: '' },
    {
      email: text => !isEmail(text.trim()) && common.validaEmail,
      code: text => !isCode(text) && common.validaCode,
    },
    { banner: true },
  )
  const send = async (values: MailedCode) => {
    const body = { type: loginType.login, ...codeBody(values) }
    onDone(await api('POST /api/v1/public/login', { body, token: null }))
  }
  return (
    <>
      <Heading title={t.titles.code} text={more.codeText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <CodeFields form={form} purpose={emailCodePurpose.login} onEmail={onEmail} />
        <FormError>{form.problem}</FormError>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.signIn}
        </Button>
      </form>
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{more.usePassword}</ViewLink>
      </p>
    </>
  )
}
