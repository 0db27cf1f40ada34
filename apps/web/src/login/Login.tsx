import { loginType } from '@coffer/contract/codes.ts'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { isSandbox } from '../lib/sandbox.ts'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { Frame } from './Frame.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { ThirdPartySignIn } from './ThirdPartySignIn.tsx'
import { type LoginConfig, type LoginViewProps, openBackOffice, parseLoginView } from './view.ts'

const views = {
  signIn: SignIn,
  code: lazy(() => import('./CodeSignIn.tsx')),
  more: lazy(() => import('./MoreWays.tsx')),
  register: lazy(() => import('./Register.tsx')),
  forgot: lazy(() => import('./Forgot.tsx')),
  'not-me': lazy(() => import('./NotMe.tsx')),
  invitation: lazy(() => import('./Invitation.tsx')),
}

const Verify = lazy(() => import('./Verify.tsx'))

const watchHash = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/**
 * The login page: sign in, register or reset the password, then the authenticator code if one is bound. The URL's
 * fragment names the view, so that each has its place in the history. `why` the last session ended, or what was `done`
 * with it.
 */
export function Login({ why, done }: { why: string | null; done: string | undefined }) {
  const t = useMessages('login')
  const common = useMessages('common')
  const config = useConfig()
  const view = parseLoginView(useSyncExternalStore(watchHash, () => location.hash))
  const [pendingToken, setPendingToken] = useState<string | null>(null)
  const [email, setEmail] = useState('')
  const [news, setNews] = useState(done)

  useEffect(() => {
    document.title = `${t.titles[view]} · ${common.productName}`
  }, [t, common, view])

  const onDone = ({ token, verification }: { token: string; verification: boolean }) =>
    verification ? setPendingToken(token) : openBackOffice(token)
  const Current = views[view]
  return (
    <div className="flex min-h-dvh flex-col">
      <Frame name={common.productName} below={config?.sandbox && <Sandbox />}>
        <div className="mb-4 wrap-anywhere empty:hidden">{why && <FormError>{why}</FormError>}</div>
        {news && view === 'signIn' && (
          <p role="status" className="mb-4 rounded-lg bg-accent-soft px-3 py-2 text-[13px] text-accent-text">
            {news}
          </p>
        )}
        <Suspense fallback={null}>
          {pendingToken !== null ? (
            <Verify token={pendingToken} onBack={() => setPendingToken(null)} />
          ) : (
            <Current config={config} email={email} onEmail={setEmail} onNews={setNews} onDone={onDone} />
          )}
        </Suspense>
      </Frame>
      {/* Over the header: a form has its heading at the top and its button at the bottom of small screens. */}
      <Toasts high />
    </div>
  )
}

/** The form of the first view. */
function SignIn({ config, email, onEmail, onDone }: LoginViewProps) {
  const t = useMessages('login')
  return (
    <>
      <Heading title={t.signIn} text={t.signInText} />
      <ThirdPartySignIn config={config} onDone={onDone} />
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

function useConfig(): LoginConfig | null {
  const [config, setConfig] = useState<LoginConfig | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    api('GET /api/v1/public/config', { token: null, signal: stop.signal }).then(known => {
      isSandbox.set(known.sandbox)
      setConfig(known)
    }, showFailureToast)
    return () => stop.abort()
  }, [])
  return config
}

function Sandbox() {
  const t = useMessages('login')
  return (
    <p className="mt-5 max-w-[400px] text-center text-[13px] text-ink-2">
      {t.sandbox}{' '}
      <a
        href="/sandbox"
        target="_blank"
        rel="noreferrer"
        className="rounded-sm text-accent-text whitespace-nowrap underline underline-offset-2"
      >
        {t.openInbox}
      </a>
    </p>
  )
}
