import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { isInside, reachOf } from '../../outside/addresses.ts'

/**
 * Refuses a callback URL that resolves to an internal address with `url_forbidden`, and one without https with
 * `https_needed`. A host name that does not resolve now is accepted: every delivery checks the address it connects to.
 */
export async function checkNotifyUrl(deps: Deps, text: string, field = 'notify_url'): Promise<void> {
  if (text !== '') await checkOutsideUrl(deps, text, { field, allowHttp: deps.config.callbackHttp === 'allow' })
}

/** The same of any URL that the server is to call. */
export async function checkOutsideUrl(
  deps: Deps,
  text: string,
  { field, allowHttp }: { field: string; allowHttp: boolean },
): Promise<void> {
  const url = new URL(text)
  if (await isInside(url, reachOf(deps.config))) throw new Refusal('url_forbidden', { field })
  if (url.protocol !== 'https:' && !allowHttp) throw new Refusal('https_needed', { field })
}
