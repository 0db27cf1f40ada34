import { CallRefused, ChainUnavailable, TooLarge } from '../errors.ts'
import type { AnswerSpace } from './answer-space.ts'

export type Call = { method: string; params: readonly unknown[] }

export type Endpoint = {
  /** URL of the JSON-RPC interface. */
  url: string
  /** TRON only: base URL of the HTTP API, without a trailing slash. */
  http?: string
  /** TRON only: base URL of `/walletsolidity/` if it differs, without a trailing slash. */
  solid?: string
  /** Sent with every request, such as an API key. */
  headers?: Record<string, string>
}

/** Limits of one request: its time, the size of a response (TooLarge above it), and where it holds its memory. */
export type RequestLimits = { timeoutMs: number; maxBytes: number; holder: ReturnType<AnswerSpace['open']> }

/** Outcome of a call: the result, or the node's refusal. */
export type Answer = { result: unknown } | { refused: CallRefused }

/** The node limits the rate of requests. Another may answer; it does after `retryAfterMs`, if it says so. */
export class RateLimited extends ChainUnavailable {
  override name = 'RateLimited'
  retryAfterMs: number | undefined

  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Error code that means the node is failing, not that it refused the call. */
const INTERNAL_ERROR = -32_603
/** Error codes of too many requests: EIP-1474, and those of providers. */
const RATE_CODES = new Set([-32_005, -32_097, -32_029, 429])
/** Refusals of a single call that have the code of a rate limit: it would return too much. */
const TOO_MUCH = /results|block range|response size/i

/**
 * Sends JSON-RPC calls in one request.
 * @returns one answer per call, in their order
 * @throws CallRefused if the batch is refused as a whole, TooLarge if the response is, RateLimited, and ChainUnavailable if the request
 * fails or times out, or the response is not JSON-RPC
 */
export async function rpc(to: Endpoint, calls: Call[], limits: RequestLimits): Promise<Answer[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params }))
  // A single call is not sent as a batch: some nodes refuse batches.
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  const { status, text } = await send(to.url, to, body, limits)
  if (status === 413) throw calls.length > 1 ? new CallRefused('batch too large', status) : new TooLarge('HTTP 413')
  const parsed = parse(status, text)
  const list = requests.length === 1 ? [parsed] : parsed
  if (!Array.isArray(list))
    throw refusalOf(parsed, status) ?? new ChainUnavailable(`HTTP ${status}, response is not a batch`)

  const answers: Answer[] = new Array(calls.length)
  for (const item of list) {
    const id: unknown = item?.id
    if (typeof id !== 'number' || !(id in calls)) throw refusalOf(item, status) ?? badAnswer(status)
    const refused = refusalOf(item, status)
    if (refused) answers[id] = { refused }
    else if ('result' in item) answers[id] = { result: item.result }
    else throw badAnswer(status)
  }
  for (let id = 0; id < calls.length; id++) if (!answers[id]) throw badAnswer(status)
  return answers
}

/**
 * Posts to a path of a node's HTTP API. Throws as `rpc` does, CallRefused for an unknown path, and ChainUnavailable for a
 * response with an error.
 */
export async function http(to: Endpoint, path: string, body: object, limits: RequestLimits) {
  const base = path.startsWith('/walletsolidity/') ? (to.solid ?? to.http) : to.http
  if (!base) throw new ChainUnavailable('no URL of the HTTP API is configured for this node')
  const { status, text } = await send(`${base}${path}`, to, JSON.stringify(body), limits)
  // Public nodes of TRON answer so to too many requests.
  if (status === 403 && /frequency|rate limit|suspended/i.test(text)) throw new RateLimited(text.slice(0, 300))
  if (status === 404) throw new CallRefused(`the node has no ${path}`, status)
  const answer = parse(status, text)
  const error = (answer as { Error?: unknown } | null)?.Error
  if (status !== 200 || error) throw new ChainUnavailable(`HTTP ${status} ${String(error ?? '').slice(0, 300)}`)
  return answer
}

function parse(status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ChainUnavailable(`HTTP ${status}, response is not JSON`)
  }
}

async function send(url: string, to: Endpoint, body: string, { timeoutMs, maxBytes, holder }: RequestLimits) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...to.headers },
      body,
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), holder.signal]),
    })
    const retryAfter = response.headers.get('retry-after')
    if (response.status === 429 || (response.status === 503 && retryAfter)) {
      await response.body?.cancel()
      throw new RateLimited('too many requests', waitOf(retryAfter))
    }
    return { status: response.status, text: await readUpTo(response, maxBytes, holder.take) }
  } catch (error) {
    // Throws if memory was short.
    holder.take(0)
    if (error instanceof TooLarge || error instanceof ChainUnavailable) throw error
    const cause = (error as { cause?: { code?: string } }).cause?.code
    throw new ChainUnavailable(cause ?? (error as Error).message)
  }
}

/** Reads the header Retry-After, in seconds or as a date (RFC 9110). Returns milliseconds. */
function waitOf(header: string | null): number | undefined {
  if (!header) return undefined
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

async function readUpTo(response: Response, maxBytes: number, take: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing out of the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TooLarge(`response exceeds ${maxBytes} bytes`)
    take(chunk.byteLength)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

function refusalOf(item: unknown, status: number): CallRefused | null {
  const error = (item as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (!error) return null
  const code = typeof error.code === 'number' ? error.code : 0
  const message = typeof error.message === 'string' ? error.message.slice(0, 300) : `HTTP ${status}`
  if (RATE_CODES.has(code) && !TOO_MUCH.test(message)) throw new RateLimited(message)
  if (code === INTERNAL_ERROR) throw new ChainUnavailable(message)
  return new CallRefused(message, code)
}

function badAnswer(status: number) {
  return new ChainUnavailable(`HTTP ${status}, response is not JSON-RPC`)
}
