import { loginType } from '@coffer/contract/codes.ts'
import { useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { api } from '../api/index.ts'
import { useMessages } from '../i18n/messages.ts'
import { showToast } from '../lib/toast.ts'
import { browserZone } from '../lib/zone.ts'
import { Button } from '../ui/controls/Button.tsx'
import { loadSignInScript, requestSignInCode } from './codeClient.ts'
import type { LoginViewProps } from './view.ts'

/** Sign-in with the configured provider, if any. Reserves its space until the configuration is loaded. */
export function ThirdPartySignIn({ config, onDone }: Pick<LoginViewProps, 'config' | 'onDone'>) {
  const t = useMessages('login')
  const [busy, setBusy] = useState(false)
  const provider = config?.sign_in ?? null
  // The provider hears of a visitor once they turn to its button, and not before.
  const prepare = () => provider && void loadSignInScript(provider.script_url)
  if (config !== null && provider === null) return null
  const signIn = async () => {
    if (!provider) return
    setBusy(true)
    try {
      const code = await requestSignInCode(provider)
      if (code === undefined) return showToast('error', t.notInitialized)
      if (code === null) return showToast('info', t.signInCancelled)
      const body = {
        type: loginType.googleLogin,
        google_auth_code: code,
        state: provider.state,
        time_zone: browserZone(),
      }
      onDone(await api('POST /api/v1/public/login', { body, token: null }))
    } catch (error) {
      showFailureToast(error as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        size="large"
        className="w-full"
        busy={busy}
        disabled={!provider}
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => void signIn()}
      >
        {t.continueWith(provider?.label ?? '…')}
      </Button>
      <div className="my-5 flex items-center gap-3 text-xs text-ink-3">
        <span className="h-px grow bg-line" />
        {t.or}
        <span className="h-px grow bg-line" />
      </div>
    </>
  )
}
