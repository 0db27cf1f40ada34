import { loginType } from '@coffer/contract/codes.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { api } from '../api/index.ts'
import { loadMessages, messages, useMessages } from '../i18n/messages.ts'
import { canUsePasskeys, PasskeyFailure, signWithPasskey } from '../kit/passkey.ts'
import { Button } from '../ui/controls/Button.tsx'
import { FormError, Heading, ViewLink } from './Heading.tsx'
import type { LoginViewProps } from './view.ts'

const WalletSignIn = lazy(() => import('./WalletSignIn.tsx'))

/** Ways to sign in without a password. */
export default function MoreWays(props: LoginViewProps) {
  const { onDone } = props
  const t = useMessages('loginMore')
  const login = useMessages('login')
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const [byWallet, setByWallet] = useState(false)
  const run = async (way: string, signIn: () => Promise<Parameters<typeof onDone>[0]>) => {
    setBusy(way)
    setProblem('')
    try {
      onDone(await signIn())
    } catch (error) {
      if (!(error instanceof PasskeyFailure)) return showFailureToast(error as Error)
      await loadMessages('proof')
      setProblem(messages('proof').failures[error.reason])
    } finally {
      setBusy(null)
    }
  }
  const byPasskey = async () => {
    const passkey = await signWithPasskey(await api('GET /api/v1/public/login/passkey', { token: null }))
    return api('POST /api/v1/public/login', { body: { type: loginType.login, passkey }, token: null })
  }
  if (byWallet)
    return (
      <Suspense fallback={null}>
        <WalletSignIn {...props} onBack={() => setByWallet(false)} />
      </Suspense>
    )
  return (
    <>
      <Heading title={login.titles.more} text={t.text} />
      <div className="flex flex-col gap-4">
        {canUsePasskeys() && (
          <Way text={t.passkeyText}>
            <Button
              size="large"
              className="w-full"
              busy={busy === 'passkey'}
              onClick={() => void run('passkey', byPasskey)}
            >
              {t.passkey}
            </Button>
          </Way>
        )}
        <Way text={t.walletHint}>
          <Button size="large" className="w-full" onClick={() => setByWallet(true)}>
            {t.wallet}
          </Button>
        </Way>
        <Way text={t.mailedCodeText}>
          <Button size="large" className="w-full" onClick={() => location.assign('#code')}>
            {t.mailedCode}
          </Button>
        </Way>
        <FormError>{problem}</FormError>
      </div>
      <p className="mt-5 text-center text-[13px]">
        <ViewLink to="signIn">{t.backToSignIn}</ViewLink>
      </p>
    </>
  )
}

const Way = ({ text, children }: { text: string; children: ReactNode }) => (
  <div>
    {children}
    <p className="mt-1.5 text-center text-xs text-ink-3">{text}</p>
  </div>
)
