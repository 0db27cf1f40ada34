import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { emulatedStateOf, replaceIds } from './facade-broadcast.ts'
import { answerHttp, answerRpc } from './facade-calls.ts'
import { forgetChain } from './facade-source.ts'
import { createTronNodeView, type JsonRpcRefusal, type TronNodeLag, type TronNodeView, tronId } from './facade-view.ts'

/** Emulates a TRON node, as documented, over a local EVM chain, with faults on request. For tests. */
export interface TronFacade extends TronNodeLag {
  /** URL of the JSON-RPC interface. */
  url: string
  /** Base URL of the HTTP API. */
  http: string
  /** Whether it accepts transactions and does nothing with them. */
  forgets: boolean
  /** Returns the id on TRON, with 0x, of a transaction or block of the local chain. */
  idOf: (local: string) => Promise<string>
  /** Breaks whole HTTP exchanges: returns whether it broke this one. `serial` counts them from 0. */
  breaks: ((response: ServerResponse, serial: number) => boolean) | undefined
  /** Changes a response; `what` is the method or the path. */
  alter: (what: string, answer: unknown) => unknown
  /** Answers a request without HTTP. */
  answer: (path: string, body: string) => Promise<string>
  /** Ends its faults. */
  reset: () => void
  stop: () => Promise<void>
}

/** The emulated nodes of each local chain. */
const nodes = new Map<string, Set<TronFacade>>()

/** Starts the emulator over a local EVM chain at `target`. */
export async function startTronFacade(target: string): Promise<TronFacade> {
  const view = createTronNodeView(target, () => facade)
  let serial = 0
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request)
      if (facade.breaks?.(response, serial++)) return
      response.setHeader('content-type', 'application/json').end(await respond(view, facade, request.url!, body))
    } catch {
      // A caller may have left while the chain below is stopped.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const healthy = () => ({
    behind: 0,
    forgets: false,
    breaks: undefined,
    alter: (_: string, answer: unknown) => answer,
  })
  const facade: TronFacade = {
    url: `${base}/jsonrpc`,
    http: base,
    unconfirmed: 3,
    idOf: local => tronId(view, local),
    ...healthy(),
    answer: (path, body) => respond(view, facade, path, body),
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

/** Answers a request, with ids translated from those of TRON and back. */
async function respond(view: TronNodeView, facade: TronFacade, path: string, text: string): Promise<string> {
  const { tron, local } = emulatedStateOf(view.target)
  if ((text.match(/[0-9a-f]{64}/g) ?? []).some(id => !local.has(id))) await view.learn()
  const body = JSON.parse(replaceIds(text, local))
  const answer = async () => {
    if (path !== '/jsonrpc') return facade.alter(path, await answerHttp(view, path, body, facade.forgets))
    const one = (call: RpcCall) => answerCall(view, facade, call)
    return Array.isArray(body) ? Promise.all(body.map(one)) : one(body)
  }
  const answered = await answer()
  await view.learn()
  return replaceIds(JSON.stringify(answered), tron)
}

interface RpcCall {
  id: number
  method: string
  params: unknown[]
}

async function answerCall(view: TronNodeView, facade: TronFacade, { id, method, params }: RpcCall) {
  try {
    return { jsonrpc: '2.0', id, result: facade.alter(method, await answerRpc(view, method, params)) }
  } catch (error) {
    const { code = -32000, message } = error as JsonRpcRefusal
    return { jsonrpc: '2.0', id, error: { code, message, data: '{}' } }
  }
}
