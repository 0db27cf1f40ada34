import { emailCodePurpose, loginType } from '@coffer/contract/codes.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { CodeForm } from './CodeFields.tsx'
import { Heading, ViewLink } from './Heading.tsx'
import type { LoginViewProps } from './view.ts'

/** Sign-in with a code sent by email, for accounts without a password or when it is slowed down. */
export default function CodeSignIn({ email, onEmail, onDone }: LoginViewProps) {
  const t = useMessages('login')
  const more = useMessages('loginMore')
  return (
    <>
      <Heading title={t.titles.code} text={more.codeText} />
      <CodeForm
        {...{ email, onEmail }}
        purpose={emailCodePurpose.login}
        action={t.signIn}
        send={async code =>
          onDone(await api('POST /api/v1/public/login', { body: { type: loginType.login, ...code }, token: null }))
        }
      />
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{more.usePassword}</ViewLink>
      </p>
    </>
  )
}
