import type { Deps } from '../../../deps.ts'
import { webhookHeaders } from '../../../kit/webhook-headers.ts'
import { buildCallbackReach } from '../../../outside/addresses.ts'
import type { ChatMessage } from '../../../outside/chat-hooks.ts'
import type { Delivery } from '../../../outside/delivery.ts'
import { isPage } from '../../../outside/is-page.ts'
import { sendSafeRequest } from '../../../outside/safe-http.ts'
import { channelSecretAt } from '../channel-store.ts'

const timeoutMs = 10_000

/**
 * Makes one attempt to post an event to a merchant's system, signed as Standard Webhooks describes. Any 2xx confirms
 * it, unless a web page answered. `data.id` is the same at every attempt; `secret` is sealed.
 */
export async function postToSystem(
  deps: Deps,
  hook: { id: string; url: string; secret: string },
  { id, event, message }: { id: string; event: string; message: ChatMessage },
): Promise<Delivery> {
  const { config } = deps
  const timestamp = new Date(deps.clock() * 1_000).toISOString()
  const body = JSON.stringify({ type: 'message', timestamp, data: { id, event, ...message } })
  const signed = { id, body, secrets: [hook.secret], place: channelSecretAt(hook.id) }
  const answer = await sendSafeRequest({
    url: hook.url,
    headers: { ...webhookHeaders(deps, signed), 'user-agent': 'Coffer-Message/1' },
    body,
    reach: buildCallbackReach(config),
    allowHttp: config.callbackHttp === 'allow',
    timeoutMs,
  })
  const failure = answer.failure ?? (isPage(answer.text) ? 'page_answered' : null)
  if (failure === null && answer.status >= 200 && answer.status < 300) return { result: 'accepted' }
  // Whoever answers 410 wants no more of it.
  if (answer.status === 410) return { result: 'refused', error: 'HTTP 410' }
  return { result: 'later', error: failure ?? `HTTP ${answer.status}`, retryAfter: answer.retryAfter }
}
