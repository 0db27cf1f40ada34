import type { Config } from '../config.ts'
import { describeFieldRequirement, Refusal } from '../kit/refusal.ts'
import { buildCallbackReach, findUrlBlockReason } from './addresses.ts'

/**
 * Refuses a callback URL that resolves to an internal address with `url_forbidden`, and one without https with
 * `https_needed`. A host name that does not resolve now is accepted: every delivery checks the address it connects to.
 */
export async function checkNotifyUrl(deps: { config: Config }, text: string, field = 'notify_url'): Promise<void> {
  if (text !== '') await checkExternalUrl(deps, text, { field, allowHttp: deps.config.callbackHttp === 'allow' })
}

/**
 * A proxy of the server answers every name with an address of its own, so that every receiver looks internal. The
 * operator reads this too.
 */
const fakeDetail = (field: string, host: string) =>
  describeFieldRequirement(
    field,
    `the server's proxy hides the address of ${host} (198.18.0.0/15); the operator can allow it by COFFER_CALLBACK_PRIVATE`,
    `服务器的代理以 198.18.0.0/15（fake-ip）解析 ${host}，无法确认其地址；运营方可通过 COFFER_CALLBACK_PRIVATE 允许`,
  )

/** The same of any URL that the server is to call. */
export async function checkExternalUrl(
  deps: { config: Config },
  text: string,
  { field, allowHttp }: { field: string; allowHttp: boolean },
): Promise<void> {
  const url = new URL(text)
  const why = await findUrlBlockReason(url, buildCallbackReach(deps.config))
  if (why) throw new Refusal('url_forbidden', { field, ...(why === 'fake' && { detail: fakeDetail(field, url.host) }) })
  if (url.protocol !== 'https:' && !allowHttp) throw new Refusal('https_needed', { field })
}
