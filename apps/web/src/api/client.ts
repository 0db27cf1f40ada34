import type { Routes } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { RouteOutput, RouteTable } from '@coffer/contract/kit/typed.ts'
import { RequestRefused, RequestUnanswered } from './failure.ts'
import { defaultRetryTiming, type RetryTiming, sendWithRetry } from './transport.ts'
import type { CallOptions, InputOf, Reply, RouteKey } from './types.ts'
import { buildRequestTarget } from './url.ts'

/** A 422 with this code asks for a second verification and is not shown as an error. */
const silentRefusalCode = 10038
const loginExpiredStatus = 401
/** A refusal with this code has a challenge: the call is sent again with its solution. */
const workNeededCode = 10230
/** How often a call is sent again with work. The price may rise meanwhile. */
const worksMax = 3
/** Calls whose success ends the token of the request; the answer has the next one. */
export const tokenReplacingCalls: ReadonlySet<string> = new Set<RouteKey>([
  'PUT /api/v1/user/password',
  'POST /api/v1/user/google-auth',
  'PUT /api/v1/user/mailbox',
  'PUT /api/v1/user/phone',
  'POST /api/v1/user/passkey',
  'DELETE /api/v1/user/passkey',
  'POST /api/v1/user/wallet',
  'DELETE /api/v1/user/wallet',
])

/** Calls whose answer has a token for another shop: other tabs reload before one of them uses it. */
export const shopOpeningCalls: ReadonlySet<string> = new Set<RouteKey>([
  'POST /api/v1/member/shop',
  'POST /api/v1/member/accept',
])

/** The client's environment, injected for tests. */
export interface ClientDeps {
  fetch: typeof fetch
  now(): Date
  newId(): string
  /** X-Language */
  language(): string
  /** X-Time-Zone, in which messages to this person say when something happened. */
  timeZone(): string
  token(): string | null
  storeToken(token: string): void
  /** Stores the token of another shop, and opens that. */
  openShop(token: string): void
  forgetToken(): void
  showError(message: string): void
  /** `why`: the server's own words, where the session ended for a reason that the person may know. */
  showLoginExpired(why?: string): void
  goToLogin(why?: string): void
  /** Does the work of a challenge and returns the header X-Work. */
  work(challenge: unknown): Promise<string>
  /** The link of a mail that lets public calls pass without work; null without one. */
  pass(): string | null
  /** Defaults to the specified timeouts; tests shorten them. */
  patience?: RetryTiming
}

/** A client of a table of routes. */
export interface Client<T extends RouteTable> {
  /** Sends a call and returns the response body. Rejects only with Unanswered. */
  request<K extends keyof T & string>(key: K, options: InputOf<T[K]> & CallOptions): Promise<Reply<RouteOutput<T[K]>>>
  /** Sends a call and returns its data. Rejects with Refused when the code is not 200, or with Unanswered. */
  api<K extends keyof T & string>(key: K, options: InputOf<T[K]> & CallOptions): Promise<RouteOutput<T[K]>>
  /** Returns the raw response of a call that does not answer with JSON. Rejects like `api`. */
  open(
    key: keyof T & string,
    options: { params?: object; query?: object | undefined; signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>
}

/** Creates a client: headers, duplicate guard, retries and the handling of each status. */
export function createClient<T extends RouteTable = Routes>(deps: ClientDeps): Client<T> {
  /** Ends when the call that replaces the token has been answered. */
  let replacing: Promise<unknown> | undefined
  let expiredShownAt = Number.NEGATIVE_INFINITY

  async function loginExpired(key: string, token: string | null, why?: string) {
    // The token may be ended by a call whose answer has the next one and arrives later.
    if (!tokenReplacingCalls.has(key)) await replacing
    // Another tab may have signed in again: drop only the token that was refused.
    if (token !== null && deps.token() !== null && deps.token() !== token) return
    const now = deps.now().getTime()
    if (now - expiredShownAt >= limits.toastThrottleMs) {
      expiredShownAt = now
      deps.showLoginExpired(why)
    }
    deps.forgetToken()
    deps.goToLogin(why)
  }

  async function read(key: string, response: Response, token: string | null): Promise<Reply<unknown>> {
    const status = response.status
    const body = await readBody(response)
    if (status === loginExpiredStatus)
      await loginExpired(key, token, body.code === loginExpiredStatus ? undefined : body.msg)
    if (status === 422 && body.code !== silentRefusalCode) deps.showError(body.message ?? body.msg ?? '')
    return replyOf(response, body)
  }

  const sendOnce = makeSender(deps, read)

  async function send(key: string, options: PlainOptions): Promise<Reply<unknown>> {
    const isShop = shopOpeningCalls.has(key)
    if (!isShop && !tokenReplacingCalls.has(key)) return sendOnce(key, options)
    const sent = sendOnce(key, options).then(reply => {
      const take = isShop ? deps.openShop : deps.storeToken
      if (reply.code === 200) take((reply.data as { token: string }).token)
      return reply
    })
    replacing = sent
      .catch(() => {})
      .finally(() => {
        replacing = undefined
      })
    return sent
  }

  return {
    // Types come from the route table; internally calls are untyped.
    request: (key, options) => send(key, options as PlainOptions) as Promise<Reply<RouteOutput<T[typeof key]>>>,
    async api(key, options) {
      const reply = await send(key, options as PlainOptions)
      if (reply.code !== 200) throw new RequestRefused(reply.status, reply.code, reply.msg ?? '', reply.field)
      return reply.data as RouteOutput<T[typeof key]>
    },
    open: (key, options) => openRaw(deps, read, key, options as PlainOptions),
  }
}

type Read = (key: string, response: Response, token: string | null) => Promise<Reply<unknown>>

function headersOf(deps: ClientDeps, token: string | null, more: Record<string, string>): Record<string, string> {
  const base: Record<string, string> = { 'X-Language': deps.language(), 'X-Time': deps.now().toUTCString(), ...more }
  if (token !== null) base['X-Token'] = token
  return base
}

/** Sends a call once for each URL at a time, again after failures, and again with work where the answer asks for it. */
function makeSender(deps: ClientDeps, read: Read) {
  const inFlight = new Map<string, 'duplicate' | 'retrying'>()

  return async (key: string, options: PlainOptions): Promise<Reply<unknown>> => {
    const { method, url } = buildRequestTarget(key, options.params, options.query)
    const submission = method !== 'GET'
    const guarded = options.guarded ?? submission
    const token = options.token === undefined ? deps.token() : options.token
    const more = contentType(options.body)
    if (submission) {
      more['Idempotency-Key'] = options.idempotencyKey ?? deps.newId()
      more['X-Time-Zone'] = deps.timeZone()
    }
    const pass = key.includes('/public/') ? deps.pass() : null
    if (pass !== null) more['X-Work'] = pass
    const attempt = () =>
      sendWithRetry({
        patience: deps.patience ?? defaultRetryTiming,
        fetch: deps.fetch,
        url,
        signal: options.signal,
        onRetry: () => guarded && inFlight.set(url, 'retrying'),
        init: () => ({ method, headers: headersOf(deps, token, more), body: encode(options.body) }),
        read: response => read(key, response, token),
      })
    if (guarded) {
      const state = inFlight.get(url)
      if (state) throw new RequestUnanswered(state)
      inFlight.set(url, 'duplicate')
    }
    try {
      let reply = await attempt()
      for (let works = 0; reply.code === workNeededCode && works < worksMax; works++) {
        more['X-Work'] = await deps.work((reply.data as { challenge: unknown }).challenge)
        reply = await attempt()
      }
      return reply
    } finally {
      if (guarded) inFlight.delete(url)
    }
  }
}

async function openRaw(
  deps: ClientDeps,
  read: Read,
  key: string,
  { params, query, signal, headers = {} }: PlainOptions,
): Promise<Response> {
  const { method, url } = buildRequestTarget(key, params, query)
  const token = deps.token()
  const init = { method, headers: headersOf(deps, token, headers), ...(signal && { signal }) }
  const response = await deps.fetch(url, init).catch(() => {
    throw new RequestUnanswered(signal?.aborted ? 'aborted' : 'network')
  })
  if (response.ok) return response
  const reply = await read(key, response, token)
  throw new RequestRefused(reply.status, reply.code, reply.msg ?? '')
}

interface PlainOptions extends CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}

interface Body {
  code?: number
  data?: unknown
  msg?: string
  message?: string
  field?: string
}

/** The answer of a call. Only success and 500 carry data, as specified, and work to do. */
function replyOf({ status, ok }: Response, body: Body): Reply<unknown> {
  const msg = body.msg ?? body.message
  const reply: Reply<unknown> = { status, code: body.code ?? (ok ? 0 : status) }
  if (msg !== undefined) reply.msg = msg
  if (body.field !== undefined) reply.field = body.field
  if (reply.code === 200 || status === 500 || reply.code === workNeededCode) reply.data = body.data
  return reply
}

/**
 * Parses a response body. Anything but a valid JSON object (a proxy's error page) is empty and never counts as success.
 */
async function readBody(response: Response): Promise<Body> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return {}
    return 'code' in body && typeof body.code !== 'number' ? {} : body
  } catch {
    return {}
  }
}

const encode = (body: unknown): string | FormData | null =>
  body === undefined
    ? null
    : body instanceof FormData
      ? body
      : JSON.stringify(body, (name, value) => {
          // JSON has no such numbers: it would write null, which means something else to the server.
          if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${name} is ${value}`)
          return value
        })

const contentType = (body: unknown): Record<string, string> =>
  body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }
