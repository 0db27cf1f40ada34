import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CofferError } from './errors.ts'
import { errorCodes, type Language } from './generated/types.ts'

export interface Connection {
  baseUrl: string
  secretKey: string
  /** For one attempt. */
  timeoutMs: number
  /** After the first attempt. */
  retries: number
  language: Language
  fetch: typeof fetch
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string | number | undefined> | undefined
  body?: unknown
  /** Made when not given: every POST has one, so that it may be sent again without happening twice. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

const firstPauseMs = 300
const longestPauseMs = 10_000
const retriedStatus = new Set([0, 429, 500, 502, 503, 504])

type Outcome<T> = { data: T } | { error: CofferError; retryAfterMs?: number }

/** Makes a call, again where an answer is missing or says "later". Gives `data`; throws CofferError. */
export async function request<T>(connection: Connection, call: Call): Promise<T> {
  const key = call.method === 'POST' ? (call.idempotencyKey ?? randomUUID()) : undefined
  for (let attempt = 0; ; attempt++) {
    const outcome = await once<T>(connection, { ...call, idempotencyKey: key })
    if ('data' in outcome) return outcome.data
    const { error, retryAfterMs } = outcome
    call.signal?.throwIfAborted()
    const later = retriedStatus.has(error.status) || error.code === errorCodes.idempotency_in_flight
    if (!later || attempt >= connection.retries) throw error
    const wait = retryAfterMs ?? firstPauseMs * 2 ** attempt * (0.5 + Math.random())
    await pause(Math.min(wait, longestPauseMs), undefined, call.signal ? { signal: call.signal } : undefined)
  }
}

async function once<T>(connection: Connection, call: Call): Promise<Outcome<T>> {
  const url = new URL(connection.baseUrl + call.path)
  for (const [name, value] of Object.entries(call.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const timeout = AbortSignal.timeout(connection.timeoutMs)
  try {
    const response = await connection.fetch(url, {
      method: call.method,
      // A key must not follow a redirect to somewhere else.
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
      headers: headersOf(connection, call),
      body: call.method === 'POST' ? JSON.stringify(call.body ?? {}) : null,
    })
    return unwrap<T>(response, await response.text())
  } catch (cause) {
    const why = timeout.aborted ? `no answer within ${connection.timeoutMs} ms` : 'no connection'
    return { error: new CofferError(why, { cause }) }
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
  const error = new CofferError(answer.msg ?? `unexpected answer with HTTP status ${response.status}`, {
    code: answer.code,
    field: answer.field,
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return seconds >= 0 ? { error, retryAfterMs: seconds * 1000 } : { error }
}

function parse(text: string): { code?: number; msg?: string; field?: string; data?: unknown } {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return {}
  }
}
