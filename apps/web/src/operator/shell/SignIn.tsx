import { isCode, isEmail, isPassword } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { encodePassword } from '../../api/encode.ts'
import { explainFailure } from '../../api/explain.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Fields, type FormFields, rulesOf } from '../../kit/form/Fields.tsx'
import { askPasskey, hasPasskeys, passkeyFailed } from '../../kit/passkey.ts'
import { useForm } from '../../kit/useForm.ts'
import { Frame } from '../../login/Frame.tsx'
import { FormError, Heading } from '../../login/Heading.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Qr } from '../../ui/data/Qr.tsx'
import { CopyText } from '../../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { api, enter } from '../kit/api.ts'

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
    enter(token)
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

interface StepProps<V extends object> {
  title: string
  text: string
  initial: V
  fields: FormFields<V>
  /** The label of the button that submits. */
  verb: string
  onSend(values: V): Promise<unknown>
  /** Buttons below that one. */
  more?: ReactNode
}

/** A step of the sign-in: fields and a submission. */
function Step<V extends object>({ title, text, initial, fields, verb, onSend, more }: StepProps<V>) {
  const common = useMessages('common')
  const form = useForm<V>(
    initial,
    rulesOf(initial, () => fields, common),
    { banner: true },
  )
  return (
    <>
      <Heading title={title} text={text} />
      <form {...form.formProps(onSend)} className="flex flex-col gap-4">
        <Fields form={form} fields={fields} />
        <FormError>{form.problem}</FormError>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {verb}
        </Button>
        {more}
      </form>
    </>
  )
}

function Password({ onPending, onEntered }: { onPending(token: string): void; onEntered(token: string): void }) {
  const t = useMessages('operator')
  const common = useMessages('common')
  const [asking, setAsking] = useState(false)
  const byPasskey = async () => {
    setAsking(true)
    try {
      const options = await api('GET /api/operator/v1/public/login/passkey', { token: null })
      const passkey = await askPasskey(options).catch(passkeyFailed())
      onEntered((await api('POST /api/operator/v1/public/login/passkey', { body: { passkey }, token: null })).token)
    } catch (error) {
      explainFailure(error as Error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <Step
      title={t.signIn}
      text={t.signInText}
      initial={{ email: '', password: '' }}
      fields={[
        {
          ...{ name: 'email', label: t.email, type: 'email', autoComplete: 'username', required: true },
          rule: text => !isEmail(text.trim()) && common.validaEmail,
        },
        {
          ...{ name: 'password', kind: 'password', label: t.password, required: true },
          autoComplete: 'current-password',
          rule: text => text === '' && common.required,
        },
      ]}
      verb={t.signIn}
      onSend={async ({ email, password }) => {
        const body = { email: email.trim(), password: encodePassword(password) }
        onPending((await api('POST /api/operator/v1/public/login', { body, token: null })).token)
      }}
      more={
        hasPasskeys() && (
          <Button size="large" icon="shield" busy={asking} onClick={() => void byPasskey()}>
            {t.passkeySignIn}
          </Button>
        )
      }
    />
  )
}

interface NextProps {
  onEntered(token: string): void
  onBack(): void
}

function Verify({ token, onEntered, onBack }: NextProps & { token: string }) {
  const t = useMessages('operator')
  const common = useMessages('common')
  return (
    <Step
      title={t.verify}
      text={t.verifyText}
      initial={{ google_code: '' }}
      fields={[
        {
          ...{ name: 'google_code', label: t.authenticatorCode, required: true },
          rule: text => !isCode(text) && common.validaCode,
          control: control => <CodeInput {...control} autoFocus />,
        },
      ]}
      verb={t.signIn}
      onSend={async body =>
        onEntered((await api('POST /api/operator/v1/public/login/verification', { body, token })).token)
      }
      more={
        <Button look="ghost" onClick={onBack}>
          {t.back}
        </Button>
      }
    />
  )
}

function Invitation({ invitation, onEntered, onBack }: NextProps & { invitation: string }) {
  const t = useMessages('operator')
  const common = useMessages('common')
  const { data, error } = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () =>
      api('POST /api/operator/v1/public/invitation', { body: { invitation }, token: null, guarded: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error)
    return (
      <>
        <ErrorState error={error} />
        <Button className="w-full" onClick={onBack}>
          {t.signIn}
        </Button>
      </>
    )
  if (!data) return <Skeleton className="h-80 w-full" />
  const { email, role, uri, secret, offer } = data
  return (
    <Step
      title={t.invitation}
      text={t.invitationText(email, t.roles[role])}
      initial={{ password: '', google_code: '', user: email, key: uri }}
      fields={[
        // So that password managers know whose password it is.
        { name: 'user', draw: () => <input type="email" autoComplete="username" value={email} readOnly hidden /> },
        {
          ...{ name: 'password', kind: 'password', label: t.newPassword, hint: common.validaPwd, required: true },
          autoComplete: 'new-password',
          rule: text => !isPassword(text) && common.validaPwd,
        },
        { name: 'key', draw: () => <Secret uri={uri} secret={secret} /> },
        {
          ...{ name: 'google_code', kind: 'code', label: t.authenticatorCode, required: true },
          rule: text => !isCode(text) && common.validaCode,
        },
      ]}
      verb={t.activate}
      onSend={async ({ password, google_code }) => {
        const body = { invitation, offer, google_code, password: encodePassword(password) }
        onEntered((await api('POST /api/operator/v1/public/invitation/accept', { body, token: null })).token)
      }}
    />
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
