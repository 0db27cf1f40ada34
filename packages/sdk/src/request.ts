import { CofferError } from './errors.ts'
import { errorCodes, type Language } from './generated/types.ts'

export interface Connection {
  baseUrl: string
  secretKey: string
  /** Timeout of one attempt. */
  timeoutMs: number
  /** Attempts after the first. */
  retries: number
  /** The longest Retry-After that is waited for. */
  longestWaitMs: number
  language: Language
  fetch: typeof fetch
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string | number | undefined> | undefined
  body?: unknown
  /** Generated if not given: every POST has one, so that a retry is safe. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

const firstPauseMs = 300
const retriedStatus = new Set([0, 408, 429, 500, 502, 503, 504])

type Outcome<T> = { data: T } | { error: CofferError }

/** Makes a call, with retries after a missing response or a temporary error. Returns `data`; throws CofferError. */
export async function request<T>(connection: Connection, call: Call): Promise<T> {
  const key = call.method === 'POST' ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined
  for (let attempt = 0; ; attempt++) {
    const outcome = await once<T>(connection, { ...call, idempotencyKey: key })
    if ('data' in outcome) return outcome.data
    const { error } = outcome
    call.signal?.throwIfAborted()
    const isTemporary = retriedStatus.has(error.status) || error.code === errorCodes.idempotency_in_flight
    if (!isTemporary || attempt >= connection.retries) throw error
    // A retry before the time that the server names is refused as well.
    const wait =
      error.retry_after === undefined ? firstPauseMs * 2 ** attempt * (0.5 + Math.random()) : error.retry_after * 1000
    if (wait > connection.longestWaitMs) throw error
    await pause(wait, call.signal)
  }
}

/** Waits. Rejects with the signal's reason when it aborts. */
const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

async function once<T>(connection: Connection, call: Call): Promise<Outcome<T>> {
  const url = new URL(connection.baseUrl + call.path)
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const timeout = AbortSignal.timeout(connection.timeoutMs)
  try {
    const response = await connection.fetch(url, {
      method: call.method,
      // Never send the key to the target of a redirect.
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
      headers: headersOf(connection, call),
      body: call.method === 'POST' ? JSON.stringify(call.body ?? {}) : null,
    })
    return unwrap<T>(response, await response.text())
  } catch (cause) {
    const message = timeout.aborted ? `no response within ${connection.timeoutMs} ms` : 'connection failed'
    return { error: new CofferError(message, { cause }) }
  }
}

const headersOf = ({ secretKey, language }: Connection, { method, idempotencyKey }: Call) => ({
  authorization: `Bearer ${secretKey}`,
  accept: 'application/json',
  'x-language': language,
  ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
})

function unwrap<T>(response: Response, text: string): Outcome<T> {
  const answer = parse(text)
  if (answer.code === 200) return { data: answer.data as T }
  const error = new CofferError(answer.msg ?? `unexpected response with HTTP status ${response.status}`, {
    code: answer.code,
    field: answer.field,
    status: response.status,
    request_id: response.headers.get('x-request-id') ?? undefined,
    retry_after: retryAfter(response.headers.get('retry-after')),
  })
  return { error }
}

/** Seconds of Retry-After, which may be a date. */
function retryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const seconds = /^[0-9]+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function parse(text: string): { code?: number; msg?: string; field?: string; data?: unknown } {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
