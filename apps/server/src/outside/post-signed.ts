import type { Config } from '../config.ts'
import type { Seal, SealPlace } from '../kit/seal.ts'
import { webhookHeaders } from '../kit/webhook-headers.ts'
import { buildCallbackReach } from './addresses.ts'
import { isPage } from './is-page.ts'
import { sendSafeRequest } from './safe-http.ts'

const timeoutMs = 10_000

/**
 * Makes one attempt to post JSON to somebody's system, signed as Standard Webhooks describes; `secrets` are sealed at
 * `place`, '' for none. Any 2xx confirms it, unless a web page answered. `result` says in a few words how it ended.
 */
export async function postSigned(
  deps: { config: Config; seal: Seal; clock: () => number },
  {
    url,
    agent,
    ...signed
  }: {
    url: string
    /** The User-Agent. */
    agent: string
    /** The same at every attempt: receivers recognise a repetition by it. */
    id: string
    body: string
    secrets: readonly string[]
    place: SealPlace
  },
): Promise<{ ok: boolean; result: string; status: number; retryAfter: number | undefined }> {
  const { status, text, failure, retryAfter } = await sendSafeRequest({
    url,
    headers: { ...webhookHeaders(deps, signed), 'user-agent': agent },
    body: signed.body,
    reach: buildCallbackReach(deps.config),
    allowHttp: deps.config.callbackHttp === 'allow',
    timeoutMs,
  })
  const isOk = status >= 200 && status < 300
  const why = failure ?? (isOk && isPage(text) ? 'page_answered' : null)
  return { ok: why === null && isOk, result: why ?? `HTTP ${status}`, status, retryAfter }
}
