import type { Deps } from '../../../deps.ts'
import type { ChatMessage } from '../../../outside/chat-hooks.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import { postSigned } from '../../../outside/post-signed.ts'
import { channelSecretAt } from '../channel-store.ts'

const formatIsoTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** Makes one attempt to post an event to a merchant's system. `data.id` is that of the message; `secret` is sealed. */
export async function postToSystem(
  deps: Deps,
  hook: { id: string; url: string; secret: string },
  { id, event, created_at, message }: { id: string; event: string; created_at: number; message: ChatMessage },
): Promise<Delivery> {
  const timestamp = formatIsoTime(deps.clock())
  const { title, text, link } = message
  const data = { id, event, time: formatIsoTime(created_at), title, text, link }
  const body = JSON.stringify({ type: 'message', timestamp, data })
  const place = channelSecretAt(hook.id)
  return deliverSigned(deps, { url: hook.url, agent: 'Coffer-Message/1', id, body, secrets: [hook.secret], place })
}

/** Makes one attempt to post signed JSON to a system. Whoever answers 410 wants no more of it. */
export async function deliverSigned(deps: Deps, post: Parameters<typeof postSigned>[1]): Promise<Delivery> {
  const { ok, result, status, retryAfter } = await postSigned(deps, post)
  if (ok) return { result: 'accepted', answer: result }
  return status === 410 ? { result: 'refused', error: result } : { result: 'later', error: result, retryAfter }
}
