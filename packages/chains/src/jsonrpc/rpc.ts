import { CallRefused, ChainUnavailable, TooLarge } from '../errors.ts'

export type Call = { method: string; params: readonly unknown[] }

export type Endpoint = {
  /** Where it takes JSON-RPC. */
  url: string
  /** TRON only: where its HTTP interface begins, without a slash at the end. */
  http?: string
  /** TRON only: where `/walletsolidity/` is when it is not there too, without a slash at the end. */
  solid?: string
  /** Sent with every request, for nodes that ask for a key. */
  headers?: Record<string, string>
}

/** One answer: the result, or the node's refusal. */
export type Answer = { result: unknown } | { refused: CallRefused }

/** Codes by which a node says that it is itself in trouble: internal error, and too many requests. */
const NODE_TROUBLE = new Set([-32603, 429])

/**
 * Sends one batch of JSON-RPC calls in one request.
 * @param maxBytes bytes of answer that are read before giving up with TooLarge
 * @returns one answer for each call, in their order
 * @throws ChainUnavailable when the request fails, takes longer than `timeoutMs`, or the answer is not JSON-RPC
 */
export async function rpc(to: Endpoint, calls: Call[], timeoutMs: number, maxBytes: number): Promise<Answer[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params }))
  // A single call goes without the array: some nodes take no batches.
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  const { status, text } = await send(to.url, to, body, timeoutMs, maxBytes)
  const parsed = parse(status, text)
  const list = requests.length === 1 ? [parsed] : parsed
  if (!Array.isArray(list)) throw refusalOf(parsed, status) ?? new ChainUnavailable(`HTTP ${status}, not a batch`)

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
 * Asks one path of a node's HTTP interface. Throws as `rpc` does, CallRefused for a path that is not there, and
 * ChainUnavailable for an error in the answer.
 */
export async function http(to: Endpoint, path: string, body: object, timeoutMs: number, maxBytes: number) {
  const base = path.startsWith('/walletsolidity/') ? (to.solid ?? to.http) : to.http
  if (!base) throw new ChainUnavailable('no HTTP interface is known of this node')
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
    throw new ChainUnavailable(`HTTP ${status} and an answer that is not JSON`)
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
  // Leaving the loop early cancels the body.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new TooLarge(`an answer of more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

function refusalOf(item: unknown, status: number): CallRefused | null {
  const error = (item as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (!error) return null
  const code = typeof error.code === 'number' ? error.code : 0
  const message = typeof error.message === 'string' ? error.message.slice(0, 300) : `HTTP ${status}`
  if (NODE_TROUBLE.has(code)) throw new ChainUnavailable(message)
  return new CallRefused(message, code)
}

function badAnswer(status: number) {
  return new ChainUnavailable(`HTTP ${status} and an answer that is not JSON-RPC`)
}
