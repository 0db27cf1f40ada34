import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { literalAddress, mayBeCalled, resolveHost } from '../../outside/addresses.ts'

/**
 * Refuses a callback URL that resolves to an internal address with `url_forbidden`, and one without https with
 * `https_needed`. A host name that does not resolve now is accepted: every delivery checks the address it connects to.
 */
export async function checkNotifyUrl(deps: Deps, text: string): Promise<void> {
  if (text === '') return
  const url = new URL(text)
  const literal = literalAddress(url)
  const addresses = literal ? [literal] : await resolveHost(url.hostname).catch(() => [])
  const mayBeLocal = deps.config.mode === 'sandbox'
  if (addresses.some(address => !mayBeCalled(address, mayBeLocal)))
    throw new Refusal('url_forbidden', { field: 'notify_url' })
  if (url.protocol !== 'https:' && deps.config.callbackHttp === 'refuse')
    throw new Refusal('https_needed', { field: 'notify_url' })
}
