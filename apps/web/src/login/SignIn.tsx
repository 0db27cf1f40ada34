import { loginType } from '@coffer/contract/codes.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { Heading, ViewLink } from './Heading.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { ThirdParty } from './ThirdParty.tsx'
import type { ViewProps } from './view.ts'

export function SignIn({ config, email, onEmail, onDone }: ViewProps) {
  const t = useMessages('login')
  return (
    <>
      <Heading title={t.signIn} text={t.signInText} />
      <ThirdParty config={config} onDone={onDone} />
      <PasswordForm
        email={email}
        onEmail={onEmail}
        onSend={async typed => {
          const body = { type: loginType.login, ...typed }
          onDone(await api('POST /api/v1/public/login', { body, token: null }))
        }}
        links={
          <div className="-mt-2 flex flex-wrap justify-between gap-x-4 text-[13px]">
            <ViewLink to="forgot">{t.forgot}</ViewLink>
            <ViewLink to="more">{t.more}</ViewLink>
          </div>
        }
      />
      <p className="mt-5 text-center text-[13px] text-ink-2">
        {t.noAccount} <ViewLink to="register">{t.register}</ViewLink>
      </p>
    </>
  )
}
