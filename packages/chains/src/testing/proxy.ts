import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'

type Message = { id: number; method: string; params: unknown[] }

/** Returns the response to a call in place of the node's, or undefined to forward the call. `ask` calls the node. */
export type Intercept = (message: Message, ask: (method: string, ...params: unknown[]) => Promise<unknown>) => unknown

export type ProxyNode = {
  url: string
  /** Answers calls in place of the node. */
  intercept: Intercept
  /** Breaks a whole HTTP exchange; returns whether it did. `serial` counts requests from 0. */
  breaks: (response: ServerResponse, serial: number) => boolean
  /** Methods called so far. */
  readonly asked: string[]
  /** Removes all faults. */
  reset: () => void
  stop: () => Promise<void>
}

/** Starts a proxy of a node that can fail and return wrong results. */
export async function startProxy(target: string): Promise<ProxyNode> {
  let serial = 0
  const forward = async (messages: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(messages) })
    return (await response.json()) as { result: unknown }
  }
  const ask = async (method: string, ...params: unknown[]) =>
    (await forward({ jsonrpc: '2.0', id: 1, method, params })).result

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const messages: Message[] = Array.isArray(body) ? body : [body]
    proxy.asked.push(...messages.map(message => message.method))
    if (proxy.breaks(response, serial++)) return
    const answers = await Promise.all(
      messages.map(async message => {
        const result = await proxy.intercept(message, ask)
        return result === undefined ? forward(message) : { jsonrpc: '2.0', id: message.id, ...(result as object) }
      }),
    )
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const proxy: ProxyNode = {
    url: `http://127.0.0.1:${port}`,
    intercept: () => undefined,
    breaks: () => false,
    asked: [],
    reset: () => {
      proxy.intercept = () => undefined
      proxy.breaks = () => false
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Makes a node lag by some blocks: newer blocks are missing, and `latest` is an old one. */
export function behind(blocks: number): Intercept {
  return async ({ method, params }, ask) => {
    if (method !== 'eth_getBlockByNumber' && method !== 'eth_blockNumber') return undefined
    const height = Number(await ask('eth_blockNumber')) - blocks
    if (method === 'eth_blockNumber') return { result: `0x${height.toString(16)}` }
    const [which, full] = params
    if (which === 'latest') return { result: await ask(method, `0x${height.toString(16)}`, full) }
    return Number(which) > height ? { result: null } : undefined
  }
}

/** Breaks one exchange in four, in irregular order: truncated response, error page or closed connection. */
export function failing(response: ServerResponse, serial: number): boolean {
  const mixed = Math.imul(serial + 1, 0x9e3779b1) >>> 16
  if (mixed % 4 !== 0) return false
  const how = (mixed >> 2) % 3
  if (how === 0) response.end('{"jsonrpc":"2.0","id":0,"resu')
  else if (how === 1) response.writeHead(503).end('<html>try again</html>')
  else response.destroy()
  return true
}
