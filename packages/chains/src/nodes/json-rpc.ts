import { CallRefused, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import { OversizedAnswer, parseNodeAnswer } from './parse.ts'
import { cleanMessage } from './said.ts'
import { type Endpoint, postToNode, RateLimited, type RequestLimits } from './transport.ts'

export type JsonRpcCall = { method: string; params: readonly unknown[] }

/** Outcome of a call: the result, or the node's refusal. */
export type JsonRpcAnswer = { result: unknown } | { refused: CallRefused }

/** Error code that means the node is failing, not that it refused the call. */
const INTERNAL_ERROR = -32_603
/**
 * Methods that execute what is sent: some makes report that it fails, or is refused, by the code of an internal error.
 * What the contract says stands in it.
 */
const EXECUTING = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'])
/**
 * Returns whether all that calls ask for is executed: a contract, which anybody may have written, decides what is
 * answered, so that an answer of any size or form is no fault of the node.
 */
export const areContractExecutions = (calls: readonly JsonRpcCall[]): boolean =>
  calls.every(({ method }) => EXECUTING.has(method))
/** Error codes of too many requests: EIP-1474, and those of providers. */
const RATE_CODES = new Set([-32_005, -32_097, -32_029, 429])
/** Refusals of a single call that have the code of a rate limit: it would return too much. */
const TOO_MUCH = /results|block range|response size/i

/**
 * Sends JSON-RPC calls in one request.
 * @returns one answer per call, in their order
 * @throws CallRefused if the batch is refused as a whole, TooLarge if the response is, RateLimited, and
 *   ChainUnavailable if the request fails or times out, or the response is not JSON-RPC
 */
export async function sendRpcBatch(
  to: Endpoint,
  calls: JsonRpcCall[],
  limits: RequestLimits,
): Promise<JsonRpcAnswer[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params }))
  // A single call is not sent as a batch: some nodes refuse batches.
  const body = JSON.stringify(requests.length === 1 ? requests[0] : requests)
  const { status, text } = await postToNode(to.url, to, body, limits)
  if (status === 413)
    throw calls.length > 1 ? new CallRefused('batch too large', status) : new ResponseTooLarge('HTTP 413')
  const parsed = await parseNodeAnswer(status, text).catch(error => {
    throw error instanceof OversizedAnswer && areContractExecutions(calls) ? new ResponseTooLarge(error.message) : error
  })
  const list = requests.length === 1 ? [parsed] : parsed
  if (!Array.isArray(list))
    throw refusalOf(parsed, status) ?? new ChainUnavailable(`HTTP ${status}, response is not a batch`)

  const answers: JsonRpcAnswer[] = new Array(calls.length)
  for (const item of list) {
    const id: unknown = item?.id
    if (typeof id !== 'number' || !(id in calls)) throw refusalOf(item, status) ?? badAnswer(status)
    const refused = refusalOf(item, status, calls[id]!.method)
    if (refused) answers[id] = { refused }
    else if ('result' in item) answers[id] = { result: item.result }
    else throw badAnswer(status)
  }
  for (let id = 0; id < calls.length; id++) if (!answers[id]) throw badAnswer(status)
  return answers
}

function refusalOf(item: unknown, status: number, method = ''): CallRefused | null {
  const error = (item as { error?: { code?: unknown; message?: unknown } } | null)?.error
  if (!error) return null
  const code = typeof error.code === 'number' ? error.code : 0
  const message = typeof error.message === 'string' ? cleanMessage(error.message) : `HTTP ${status}`
  if (RATE_CODES.has(code) && !TOO_MUCH.test(message)) throw new RateLimited(message)
  // guard: execution-failed
  if (code === INTERNAL_ERROR && !EXECUTING.has(method)) throw new ChainUnavailable(message)
  return new CallRefused(message, code)
}

function badAnswer(status: number) {
  return new ChainUnavailable(`HTTP ${status}, response is not JSON-RPC`)
}
