/** The part of Google's sign-in API in use. The sandbox serves a script with the same interface. */
interface CodeClient {
  requestCode(): void
}
interface CodeClientOptions {
  client_id: string
  scope: string
  ux_mode: 'popup'
  callback(answer: { code?: string; error?: string }): void
  error_callback(error: { type: string }): void
}
declare global {
  interface Window {
    google?: { accounts: { oauth2: { initCodeClient(options: CodeClientOptions): CodeClient } } }
  }
}

/** Adds the provider's script to the page, once. */
export function loadSignInScript(url: string): void {
  if (document.querySelector(`script[src="${CSS.escape(url)}"]`)) return
  const script = document.createElement('script')
  script.src = url
  script.async = true
  document.head.append(script)
}

/**
 * Opens the provider's window. Resolves with its authorization code, or null when the window is closed. Returns undefined
 * when the script has not loaded.
 */
export function requestSignInCode(clientId: string): Promise<string | null> | undefined {
  const oauth2 = window.google?.accounts.oauth2
  if (!oauth2) return undefined
  return new Promise(resolve => {
    const client = oauth2.initCodeClient({
      client_id: clientId,
      scope: 'openid email profile',
      ux_mode: 'popup',
      callback: ({ code }) => resolve(code ?? null),
      error_callback: () => resolve(null),
    })
    client.requestCode()
  })
}
