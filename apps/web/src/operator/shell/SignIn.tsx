import { isPassword, isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import type { OperatorData } from '@coffer/contract/operator/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { encodePassword } from '../../api/encode.ts'
import { showFailureToast } from '../../api/explain.ts'
import { useMessages } from '../../i18n/messages.ts'
import { buildFieldRules, Fields, type FormFields } from '../../kit/form/Fields.tsx'
import { canUsePasskeys, handlePasskeyFailure, signWithPasskey } from '../../kit/passkey.ts'
import { useForm } from '../../kit/useForm.ts'
import { AuthenticatorForm } from '../../login/AuthenticatorForm.tsx'
import { Frame } from '../../login/Frame.tsx'
import { FormError, Heading } from '../../login/Heading.tsx'
import { PasswordForm } from '../../login/PasswordForm.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { CopyText } from '../../ui/data/CopyText.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { api, startConsoleSession } from '../kit/api.ts'

const invitationOf = (hash: string) => /^#invitation=([\w-]{20,128})$/.exec(hash)?.[1]

/** The sign-in: password, then authenticator; or both chosen by a one-time link. */
export default function SignIn() {
  const t = useMessages('operator')
  const [invitation, setInvitation] = useState(() => invitationOf(location.hash))
  const [pending, setPending] = useState<string>()
  useEffect(() => {
    document.title = t.title
  }, [t])
  const entered = (token: string) => {
    // A used link must not stay in the history.
    history.replaceState(null, '', '/')
    startConsoleSession(token)
  }
  return (
    <Frame name={t.title}>
      {invitation !== undefined ? (
        <Invitation invitation={invitation} onEntered={entered} onBack={() => setInvitation(undefined)} />
      ) : pending !== undefined ? (
        <Verify token={pending} onEntered={entered} onBack={() => setPending(undefined)} />
      ) : (
        <Password onPending={setPending} onEntered={entered} />
      )}
    </Frame>
  )
}

/** The first step: a password, or a passkey that stands for both steps. */
function Password({ onPending, onEntered }: { onPending(token: string): void; onEntered(token: string): void }) {
  const t = useMessages('operator')
  const { signIn } = useMessages('login')
  const [asking, setAsking] = useState(false)
  const byPasskey = async () => {
    setAsking(true)
    try {
      const options = await api('GET /api/operator/v1/public/login/passkey', { token: null })
      const passkey = await signWithPasskey(options).catch(handlePasskeyFailure())
      onEntered((await api('POST /api/operator/v1/public/login/passkey', { body: { passkey }, token: null })).token)
    } catch (error) {
      showFailureToast(error as Error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Heading title={signIn} text={t.signInText} />
      <PasswordForm
        onSend={async body => onPending((await api('POST /api/operator/v1/public/login', { body, token: null })).token)}
      >
        {canUsePasskeys() && (
          <Button size="large" icon="shield" busy={asking} onClick={() => void byPasskey()}>
            {t.passkeySignIn}
          </Button>
        )}
      </PasswordForm>
    </>
  )
}

interface NextProps {
  onEntered(token: string): void
  onBack(): void
}

function Verify({ token, onEntered, onBack }: NextProps & { token: string }) {
  const { signIn } = useMessages('login')
  const { back } = useMessages('loginMore')
  return (
    <AuthenticatorForm
      verb={signIn}
      onSend={async body =>
        onEntered((await api('POST /api/operator/v1/public/login/verification', { body, token })).token)
      }
    >
      <Button look="ghost" onClick={onBack}>
        {back}
      </Button>
    </AuthenticatorForm>
  )
}

function Invitation({ invitation, onEntered, onBack }: NextProps & { invitation: string }) {
  const { signIn } = useMessages('login')
  const { data, error } = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () =>
      api('POST /api/operator/v1/public/invitation', { body: { invitation }, token: null, guarded: false }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
  })
  if (error)
    return (
      <>
        <ErrorState error={error} />
        <Button className="w-full" onClick={onBack}>
          {signIn}
        </Button>
      </>
    )
  if (!data) return <Skeleton className="h-80 w-full" />
  return <Activation offer={data} invitation={invitation} onEntered={onEntered} />
}

interface ActivationProps extends Pick<NextProps, 'onEntered'> {
  invitation: string
  offer: OperatorData<'POST /api/operator/v1/public/invitation'>
}

/** Chooses a password and binds an authenticator. */
function Activation({ offer: { email, role, uri, secret, offer }, invitation, onEntered }: ActivationProps) {
  const t = useMessages('operator')
  const { newPassword, authenticatorCode } = useMessages('loginMore')
  const common = useMessages('common')
  const initial = { user: email, password: '', key: uri, google_code: '' }
  const fields: FormFields<typeof initial> = [
    // So that password managers know whose password it is.
    { name: 'user', draw: () => <input type="email" autoComplete="username" value={email} readOnly hidden /> },
    {
      name: 'password',
      kind: 'password',
      label: newPassword,
      hint: common.validaPwd,
      required: true,
      autoComplete: 'new-password',
      rule: text => !isPassword(text) && common.validaPwd,
    },
    { name: 'key', draw: () => <Secret uri={uri} secret={secret} /> },
    {
      name: 'google_code',
      kind: 'code',
      label: authenticatorCode,
      required: true,
      rule: text => !isSixDigitCode(text) && common.validaCode,
    },
  ]
  const rules = buildFieldRules(initial, () => fields, common)
  const form = useForm(initial, rules, { banner: true })
  const send = async ({ password, google_code }: typeof initial) => {
    const body = { invitation, offer, google_code, password: encodePassword(password) }
    onEntered((await api('POST /api/operator/v1/public/invitation/accept', { body, token: null })).token)
  }
  return (
    <>
      <Heading title={t.invitation} text={t.invitationText(email, t.roles[role])} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <Fields form={form} fields={fields} />
        <FormError>{form.problem}</FormError>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.activate}
        </Button>
      </form>
    </>
  )
}

/** The secret of the authenticator, to scan or to copy. */
function Secret({ uri, secret }: { uri: string; secret: string }) {
  const t = useMessages('operator')
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Qr text={uri} label={t.qr} />
      <div className="min-w-0 flex-1 basis-32 text-[13px] text-ink-2">
        <p>{t.scan}</p>
        <p className="mt-1 font-mono break-all">
          <CopyText look="whole" value={secret} label={t.secret} />
        </p>
      </div>
    </div>
  )
}
