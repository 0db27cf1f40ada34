import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { literalAddress, mayBeCalled, type Reach, resolveHost } from '../../outside/addresses.ts'

/** Returns where callbacks may go besides the public internet. */
export const reachOf = ({ mode, callbackPrivate }: Deps['config']): Reach => ({
  loopback: mode === 'sandbox',
  private: callbackPrivate,
})

/**
 * Refuses a callback URL that resolves to an internal address with `url_forbidden`, and one without https with
 * `https_needed`. A host name that does not resolve now is accepted: every delivery checks the address it connects to.
 */
export async function checkNotifyUrl(deps: Deps, text: string): Promise<void> {
  if (text === '') return
  const url = new URL(text)
  const literal = literalAddress(url)
  const addresses = literal ? [literal] : await resolveHost(url.hostname).catch(() => [])
  if (addresses.some(address => !mayBeCalled(address, url.hostname, reachOf(deps.config))))
    throw new Refusal('url_forbidden', { field: 'notify_url' })
  if (url.protocol !== 'https:' && deps.config.callbackHttp === 'refuse')
    throw new Refusal('https_needed', { field: 'notify_url' })
}
