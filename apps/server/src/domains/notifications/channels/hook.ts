import type { Deps } from '../../../deps.ts'
import type { ChatMessage } from '../../../outside/chat-hooks.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import { postSigned } from '../../../outside/post-signed.ts'
import { channelSecretAt } from '../channel-store.ts'

/** Makes one attempt to post an event to a merchant's system. `data.id` is that of the message; `secret` is sealed. */
export async function postToSystem(
  deps: Deps,
  hook: { id: string; url: string; secret: string },
  { id, event, message }: { id: string; event: string; message: ChatMessage },
): Promise<Delivery> {
  const timestamp = new Date(deps.clock() * 1_000).toISOString()
  const body = JSON.stringify({ type: 'message', timestamp, data: { id, event, ...message } })
  const { ok, result, status, retryAfter } = await postSigned(deps, {
    url: hook.url,
    agent: 'Coffer-Message/1',
    id,
    body,
    secrets: [hook.secret],
    place: channelSecretAt(hook.id),
  })
  if (ok) return { result: 'accepted' }
  // Whoever answers 410 wants no more of it.
  return status === 410 ? { result: 'refused', error: result } : { result: 'later', error: result, retryAfter }
}
