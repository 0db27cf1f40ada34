import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { idsOf, replaceIds } from './facade-broadcast.ts'
import { answerHttp, answerRpc } from './facade-calls.ts'
import { forgetChain } from './facade-source.ts'
import { type Lag, type Refusal, tronId, type View, viewOf } from './facade-view.ts'

/** Emulates a TRON node, as documented, over a local EVM chain, with faults on request. For tests. */
export interface TronFacade extends Lag {
  /** URL of the JSON-RPC interface. */
  url: string
  /** Base URL of the HTTP API. */
  http: string
  /** Whether it accepts transactions and does nothing with them. */
  forgets: boolean
  /** Returns the id on TRON, with 0x, of a transaction or block of the local chain. */
  idOf: (local: string) => Promise<string>
  /** Breaks a whole HTTP exchange; returns whether it did. */
  breaks: (response: ServerResponse, serial: number) => boolean
  /** Changes a response; `what` is the method or the path. */
  alter: (what: string, answer: unknown) => unknown
  /** Ends its faults. */
  reset: () => void
  stop: () => Promise<void>
}

/** The emulated nodes of each local chain. */
const nodes = new Map<string, Set<TronFacade>>()

/** Starts the emulator over a local EVM chain at `target`. */
export async function startTronFacade(target: string): Promise<TronFacade> {
  const view = viewOf(target, () => facade)
  let serial = 0
  const server = createServer((request, response) => {
    // A caller may have left while the chain below is stopped.
    respond({ view, facade, serial: () => serial++ }, request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const healthy = () => ({
    behind: 0,
    forgets: false,
    breaks: () => false,
    alter: (_: string, answer: unknown) => answer,
  })
  const facade: TronFacade = {
    url: `${base}/jsonrpc`,
    http: base,
    unconfirmed: 3,
    idOf: local => tronId(view, local),
    ...healthy(),
    reset: () => void Object.assign(facade, healthy()),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      those.delete(facade)
      if (those.size === 0) forgetChain(target)
    },
  }
  const those = nodes.get(target) ?? new Set()
  nodes.set(target, those.add(facade))
  return facade
}

interface Emulated {
  view: View
  facade: TronFacade
  /** Counts the exchanges. */
  serial: () => number
}

/** Answers a request, with ids translated from those of TRON and back. */
async function respond(
  { view, facade, serial }: Emulated,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { tron, local } = idsOf(view.target)
  const text = Buffer.concat(chunks).toString()
  if ((text.match(/[0-9a-f]{64}/g) ?? []).some(id => !local.has(id))) await view.learn()
  const body = JSON.parse(replaceIds(text, local))
  const end = async (answer: unknown) => {
    await view.learn()
    response.end(replaceIds(JSON.stringify(answer), tron))
  }
  if (facade.breaks(response, serial())) return
  response.setHeader('content-type', 'application/json')
  const path = request.url!
  if (path !== '/jsonrpc') return end(facade.alter(path, await answerHttp(view, path, body, facade.forgets)))
  const one = (call: RpcCall) => answerCall(view, facade, call)
  return end(Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body))
}

interface RpcCall {
  id: number
  method: string
  params: unknown[]
}

async function answerCall(view: View, facade: TronFacade, { id, method, params }: RpcCall) {
  try {
    return { jsonrpc: '2.0', id, result: facade.alter(method, await answerRpc(view, method, params)) }
  } catch (error) {
    const { code = -32000, message } = error as Refusal
    return { jsonrpc: '2.0', id, error: { code, message, data: '{}' } }
  }
}
