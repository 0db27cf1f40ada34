import { CallRefused, ChainUnavailable } from '../errors.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { parseNodeAnswer } from '../nodes/parse.ts'
import { cleanMessage } from '../nodes/said.ts'
import { type Endpoint, postToNode, RateLimited, type RequestLimits } from '../nodes/transport.ts'

/**
 * Calls the HTTP API that TRON nodes have in addition to JSON-RPC; `read` also gets the node's main URL. Errors as in
 * `Nodes.ask`.
 */
export const callTronHttpApi = <T>(
  nodes: Nodes,
  path: string,
  body: object,
  read: (result: unknown, url: string) => T | Promise<T>,
): Promise<T> => nodes.askBy(path, (to, limits) => request(to, path, body, limits), read)

/** The same of every node that counts towards the quorum. Answers as in `Nodes.askQuorum`. */
export const callTronHttpApiByQuorum = <T>(
  nodes: Nodes,
  path: string,
  body: object,
  read: (result: unknown) => T | Promise<T>,
) => nodes.askQuorumBy(path, (to, limits) => request(to, path, body, limits), read)

/**
 * Posts to a path. Throws as `postToNode` does, CallRefused for an unknown path, and ChainUnavailable for a response
 * with an
 * error.
 */
async function request(to: Endpoint, path: string, body: object, limits: RequestLimits) {
  const { http, solid = http } = to.urls ?? {}
  const base = path.startsWith('/walletsolidity/') ? solid : http
  if (!base) throw new ChainUnavailable('no URL of the HTTP API is configured for this node')
  const { status, text } = await postToNode(`${base}${path}`, to, JSON.stringify(body), limits)
  // Public nodes of TRON answer so to too many requests.
  if (status === 403 && /frequency|rate limit|suspended/i.test(text)) throw new RateLimited(cleanMessage(text))
  if (status === 404) throw new CallRefused(`the node has no ${path}`, status)
  const answer = await parseNodeAnswer(status, text)
  const error = (answer as { Error?: unknown } | null)?.Error
  if (status !== 200 || error) throw new ChainUnavailable(`HTTP ${status} ${cleanMessage(String(error ?? ''))}`)
  return answer
}
