import { emailCodePurpose, loginType } from '@coffer/contract/codes.ts'
import { useState } from 'react'
import { api, RequestRefused } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { WalletButtons } from '../kit/WalletButtons.tsx'
import { type BrowserWallet, formatWalletError, signByWallet } from '../kit/wallet.ts'
import { cancelErrorToast } from '../lib/toast.ts'
import { browserZone } from '../lib/zone.ts'
import { CodeForm, type codeBody } from './CodeFields.tsx'
import { FormError, Heading, TextButton } from './Heading.tsx'
import type { LoginViewProps } from './view.ts'

type Signed = Awaited<ReturnType<typeof signByWallet>>

/** The error code of a wallet that no account has. */
const unknownWallet = 10192

/** Sign-in with a wallet of this browser. One that no account has yet can create an account with the same signature. */
export default function WalletSignIn({ email, onEmail, onDone, onBack }: LoginViewProps & { onBack(): void }) {
  const t = useMessages('loginMore')
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const [unknown, setUnknown] = useState<Signed | null>(null)
  const signIn = async (wallet: BrowserWallet) => {
    setBusy(wallet.id)
    setProblem('')
    try {
      const signed = await signByWallet(wallet, query => api('GET /api/v1/public/login/wallet', { query, token: null }))
      const sent = api('POST /api/v1/public/login', { body: { type: loginType.wallet, ...signed }, token: null })
      const answer = await sent.catch(error => {
        if (!(error instanceof RequestRefused) || error.code !== unknownWallet) throw error
        cancelErrorToast(error.message)
        setUnknown(signed)
      })
      if (answer) onDone(answer)
    } catch (error) {
      setProblem(formatWalletError(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <>
      <Heading title={unknown ? t.walletNew : t.wallet} text={unknown ? t.walletNewText : t.walletText} />
      {unknown ? (
        <Register signed={unknown} email={email} onEmail={onEmail} onDone={onDone} />
      ) : (
        <div className="flex flex-col gap-4">
          <WalletButtons busy={busy} onChoose={wallet => void signIn(wallet)} />
          <FormError>{problem}</FormError>
        </div>
      )}
      <p className="mt-5 text-center text-[13px]">
        <TextButton onClick={unknown ? () => setUnknown(null) : onBack}>{t.back}</TextButton>
      </p>
    </>
  )
}

function Register({ signed, email, onEmail, onDone }: Omit<LoginViewProps, 'config' | 'onNews'> & { signed: Signed }) {
  const t = useMessages('login')
  const send = async (code: ReturnType<typeof codeBody>) => {
    const body = { type: loginType.wallet, ...code, ...signed, time_zone: browserZone() }
    onDone(await api('POST /api/v1/public/register', { body, token: null }))
  }
  return <CodeForm {...{ email, onEmail, send }} purpose={emailCodePurpose.register} action={t.register} />
}
