import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { literalAddress, mayBeCalled, resolveHost } from '../../outside/addresses.ts'

/**
 * Refuses with `url_forbidden` a callback address that leads inside, with `https_needed` one without https. A name that cannot be looked up now is let through:
 * every delivery checks again, to exactly the address it calls.
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
