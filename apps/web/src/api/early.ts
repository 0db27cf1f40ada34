/** A call that `early/start.js` sent before the code of the page had arrived. */
interface EarlyCall {
  token: string
  /** X-Language */
  language: string
  /** By `performance.now()` */
  sentAt: number
  ending: AbortController
  answer: Promise<Response>
}

/** By URL. */
type EarlyCalls = Map<string, EarlyCall>

/** An answer that nobody took this long (ms) after the call may be out of date. */
const freshMs = 15_000

/** The calls of the page itself, as `apiQuery` takes them. Those of its shell are not among them. */
export const listPrefetchedCalls = (): [key: never, input: never][] =>
  (globalThis as { earlyReads?: [key: never, input: never][] }).earlyReads ?? []

const sent = () => (globalThis as { earlyCalls?: EarlyCalls }).earlyCalls

/**
 * Like `fetch`, but the first request of an early call takes over that call, with its errors and its status, instead of
 * sending a second one. The merchant and the language must be the same.
 */
export const fetchOrReusePrefetched: typeof fetch = (input, init) => {
  const url = String(input)
  const early = init?.method === 'GET' ? sent()?.get(url) : undefined
  if (!early) return fetch(input, init)
  sent()?.delete(url)
  const headers = new Headers(init?.headers)
  const same = headers.get('X-Token') === early.token && headers.get('X-Language') === early.language
  if (!same || performance.now() - early.sentAt > freshMs) return fetch(input, init)
  init?.signal?.addEventListener('abort', () => early.ending.abort())
  return early.answer
}
