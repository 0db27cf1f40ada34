import { CallRefused, ChainUnavailable, TooLarge } from '../errors.ts'

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

/** Outcome of a call: the result, or the node's refusal. */
export type Answer = { result: unknown } | { refused: CallRefused }

/** Error codes that mean the node is failing, not that it refused the call: internal error, too many requests. */
const FAILURE_CODES = new Set([-32603, 429])

/**
 * Sends JSON-RPC calls in one request.
 * @param maxBytes maximum size of the response; TooLarge above it
 * @returns one answer per call, in their order
 * @throws ChainUnavailable if the request fails or times out, or the response is not JSON-RPC
 */
export async function rpc(to: Endpoint, calls: Call[], timeoutMs: number, maxBytes: number): Promise<Answer[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params }))
  // A single call is not sent as a batch: some nodes refuse batches.
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  const { status, text } = await send(to.url, to, body, timeoutMs, maxBytes)
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
export async function http(to: Endpoint, path: string, body: object, timeoutMs: number, maxBytes: number) {
  const base = path.startsWith('/walletsolidity/') ? (to.solid ?? to.http) : to.http
  if (!base) throw new ChainUnavailable('no URL of the HTTP API is configured for this node')
  const { status, text } = await send(`${base}${path}`, to, JSON.stringify(body), timeoutMs, maxBytes)
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

async function send(url: string, to: Endpoint, body: string, timeoutMs: number, maxBytes: number) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...to.headers },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 429) {
      await response.body?.cancel()
      throw new ChainUnavailable('too many requests')
    }
    return { status: response.status, text: await readUpTo(response, maxBytes) }
  } catch (error) {
    if (error instanceof TooLarge || error instanceof ChainUnavailable) throw error
    const cause = (error as { cause?: { code?: string } }).cause?.code
    throw new ChainUnavailable(cause ?? (error as Error).message)
  }
}

async function readUpTo(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing out of the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TooLarge(`response exceeds ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

function refusalOf(item: unknown, status: number): CallRefused | null {
  const error = (item as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (!error) return null
  const code = typeof error.code === 'number' ? error.code : 0
  const message = typeof error.message === 'string' ? error.message.slice(0, 300) : `HTTP ${status}`
  if (FAILURE_CODES.has(code)) throw new ChainUnavailable(message)
  return new CallRefused(message, code)
}

function badAnswer(status: number) {
  return new ChainUnavailable(`HTTP ${status}, response is not JSON-RPC`)
}
