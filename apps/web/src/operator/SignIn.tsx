import { isCode, isEmail, isPassword } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { encodePassword } from '../api/encode.ts'
import { explainFailure } from '../api/explain.ts'
import { useMessages } from '../i18n/messages.ts'
import { LanguagePicker, ThemePicker } from '../kit/Pickers.tsx'
import { askPasskey, hasPasskeys } from '../kit/passkey.ts'
import { useForm } from '../kit/useForm.ts'
import { Button } from '../ui/controls/Button.tsx'
import { CodeInput } from '../ui/controls/CodeInput.tsx'
import { Field } from '../ui/controls/Field.tsx'
import { PasswordInput } from '../ui/controls/PasswordInput.tsx'
import { TextInput } from '../ui/controls/TextInput.tsx'
import { Qr } from '../ui/data/Qr.tsx'
import { CopyText } from '../ui/data/Values.tsx'
import { ErrorState, Skeleton } from '../ui/feedback/States.tsx'
import { api, enter } from './api.ts'
import { Brand } from './Brand.tsx'
import { tellFailure } from './passkeys.ts'
import { useTexts } from './texts.ts'

const invitationOf = (hash: string) => /^#invitation=([\w-]{20,128})$/.exec(hash)?.[1]

/** The sign-in: password, then authenticator; or both chosen by a one-time link. */
export function SignIn() {
  const t = useTexts()
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
    <>
      <header className="flex h-14 items-center justify-between px-4 sm:px-6">
        <Brand />
        <span className="flex items-center gap-1">
          <LanguagePicker />
          <ThemePicker />
        </span>
      </header>
      <main className="flex grow flex-col items-center px-4 pt-[6vh] pb-12">
        <div className="w-full max-w-[400px] rounded-lg border border-line bg-surface p-6 sm:p-8">
          {invitation !== undefined ? (
            <Invitation invitation={invitation} onEntered={entered} onBack={() => setInvitation(undefined)} />
          ) : pending !== undefined ? (
            <Verify token={pending} onEntered={entered} onBack={() => setPending(undefined)} />
          ) : (
            <Password onPending={setPending} onEntered={entered} />
          )}
        </div>
      </main>
    </>
  )
}

const Heading = ({ title, text }: { title: string; text: ReactNode }) => (
  <div className="mb-6">
    <h1 className="text-xl leading-7 font-semibold tracking-tight">{title}</h1>
    <p className="mt-1 text-[13px] wrap-anywhere text-ink-2">{text}</p>
  </div>
)

const Problem = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-[13px] text-bad empty:hidden">
    {children}
  </p>
)

function Password({ onPending, onEntered }: { onPending(token: string): void; onEntered(token: string): void }) {
  const t = useTexts()
  const common = useMessages('common')
  const form = useForm(
    { email: '', password: '' },
    { email: text => !isEmail(text.trim()) && common.validaEmail, password: text => text === '' && common.required },
    { banner: true },
  )
  const send = async ({ email, password }: typeof form.values) => {
    const body = { email: email.trim(), password: encodePassword(password) }
    onPending((await api('POST /api/operator/v1/public/login', { body, token: null })).token)
  }
  const [asking, setAsking] = useState(false)
  const byPasskey = async () => {
    setAsking(true)
    try {
      const passkey = await tellFailure(async () =>
        askPasskey(await api('GET /api/operator/v1/public/login/passkey', { token: null })),
      )
      onEntered((await api('POST /api/operator/v1/public/login/passkey', { body: { passkey }, token: null })).token)
    } catch (error) {
      explainFailure(error as Error)
    } finally {
      setAsking(false)
    }
  }
  return (
    <>
      <Heading title={t.signIn} text={t.signInText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <Field label={t.email} error={form.errors.email} required>
          {control => (
            <TextInput
              {...control}
              type="email"
              autoComplete="username"
              value={form.values.email}
              onChange={form.set('email')}
            />
          )}
        </Field>
        <Field label={t.password} error={form.errors.password} required>
          {control => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              value={form.values.password}
              onChange={form.set('password')}
            />
          )}
        </Field>
        <Problem>{form.problem}</Problem>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.signIn}
        </Button>
        {hasPasskeys() && (
          <Button size="large" icon="shield" busy={asking} onClick={() => void byPasskey()}>
            {t.passkeySignIn}
          </Button>
        )}
      </form>
    </>
  )
}

interface StepProps {
  onEntered(token: string): void
  onBack(): void
}

function Verify({ token, onEntered, onBack }: StepProps & { token: string }) {
  const t = useTexts()
  const common = useMessages('common')
  const form = useForm({ google_code: '' }, { google_code: text => !isCode(text) && common.validaCode })
  const send = async (body: typeof form.values) =>
    onEntered((await api('POST /api/operator/v1/public/login/verification', { body, token })).token)
  return (
    <>
      <Heading title={t.verify} text={t.verifyText} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <Field label={t.authenticatorCode} error={form.errors.google_code} required>
          {control => (
            <CodeInput {...control} autoFocus value={form.values.google_code} onChange={form.set('google_code')} />
          )}
        </Field>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.signIn}
        </Button>
        <Button look="ghost" onClick={onBack}>
          {t.back}
        </Button>
      </form>
    </>
  )
}

function Invitation({ invitation, onEntered, onBack }: StepProps & { invitation: string }) {
  const t = useTexts()
  const common = useMessages('common')
  const read = useQuery({
    queryKey: ['invitation', invitation],
    queryFn: () =>
      api('POST /api/operator/v1/public/invitation', { body: { invitation }, token: null, guarded: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const form = useForm(
    { password: '', google_code: '' },
    {
      password: text => !isPassword(text) && common.validaPwd,
      google_code: text => !isCode(text) && common.validaCode,
    },
    { banner: true },
  )
  if (read.error)
    return (
      <>
        <ErrorState error={read.error} />
        <Button className="w-full" onClick={onBack}>
          {t.signIn}
        </Button>
      </>
    )
  if (!read.data) return <Skeleton className="h-80 w-full" />
  const { email, role, uri, secret, offer } = read.data
  const send = async ({ password, google_code }: typeof form.values) => {
    const body = { invitation, offer, google_code, password: encodePassword(password) }
    onEntered((await api('POST /api/operator/v1/public/invitation/accept', { body, token: null })).token)
  }
  return (
    <>
      <Heading title={t.invitation} text={t.invitationText(email, t.roles[role])} />
      <form {...form.formProps(send)} className="flex flex-col gap-4">
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <Field label={t.newPassword} error={form.errors.password} hint={common.validaPwd} required>
          {control => (
            <PasswordInput
              {...control}
              autoComplete="new-password"
              value={form.values.password}
              onChange={form.set('password')}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center gap-4">
          <Qr text={uri} label={t.qr} />
          <div className="min-w-0 flex-1 basis-32 text-[13px] text-ink-2">
            <p>{t.scan}</p>
            <p className="mt-1 font-mono break-all">
              <CopyText look="whole" value={secret} label={t.secret} />
            </p>
          </div>
        </div>
        <Field label={t.authenticatorCode} error={form.errors.google_code} required>
          {control => <CodeInput {...control} value={form.values.google_code} onChange={form.set('google_code')} />}
        </Field>
        <Problem>{form.problem}</Problem>
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t.activate}
        </Button>
      </form>
    </>
  )
}
