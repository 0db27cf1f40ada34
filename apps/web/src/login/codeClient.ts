import type { RouteData } from '../api/index.ts'

/** The part of Google's sign-in API in use. The sandbox serves a script with the same interface. */
interface CodeClient {
  requestCode(): void
}
interface CodeClientOptions {
  client_id: string
  scope: string
  ux_mode: 'popup'
  state: string
  /** Google's script ignores this and the next two. */
  nonce: string
  code_challenge: string
  code_challenge_method: 'S256'
  callback(answer: { code?: string; state?: string; error?: string }): void
  error_callback(error: { type: string }): void
}
declare global {
  interface Window {
    google?: { accounts: { oauth2: { initCodeClient(options: CodeClientOptions): CodeClient } } }
  }
}

type SignInConfig = NonNullable<RouteData<'GET /api/v1/public/config'>['sign_in']>

/** How long a click waits for the script, in ms. Browsers open a window only within about 5 s of a click. */
const patienceMs = 4_000
let loading: Promise<unknown> | undefined

/** Adds the provider's script to the page, once. Resolves when it has loaded, or has failed and may be tried again. */
export function loadSignInScript(url: string): Promise<unknown> {
  loading ??= new Promise<unknown>(resolve => {
    const script = document.createElement('script')
    script.src = url
    script.async = true
    script.onload = resolve
    script.onerror = () => {
      script.remove()
      loading = undefined
      resolve(null)
    }
    document.head.append(script)
  })
  return loading
}

/**
 * Opens the provider's window, once its script has loaded. Resolves with its authorization code, null when the window
 * is closed, or undefined when the script does not load.
 */
export async function requestSignInCode({
  client_id,
  script_url,
  state,
  nonce,
  code_challenge,
}: SignInConfig): Promise<string | null | undefined> {
  if (!window.google)
    await Promise.race([loadSignInScript(script_url), new Promise(resolve => setTimeout(resolve, patienceMs))])
  const oauth2 = window.google?.accounts.oauth2
  if (!oauth2) return undefined
  return new Promise(resolve => {
    const client = oauth2.initCodeClient({
      client_id,
      scope: 'openid email profile',
      ux_mode: 'popup',
      state,
      nonce,
      code_challenge,
      code_challenge_method: 'S256',
      // A code of another sign-in was not requested here.
      callback: answer => resolve(answer.state === state ? (answer.code ?? null) : null),
      error_callback: () => resolve(null),
    })
    client.requestCode()
  })
}
