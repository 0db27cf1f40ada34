import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeQuantity } from '../evm/calls.ts'
import { headerHash, type JsonObject } from '../evm/encoding.ts'
import { postJson } from '../tron/post.ts'

type Message = { id: number; method: string; params: unknown[] }

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

/** Returns the response to a call in place of the node's, or undefined to forward the call. `ask` calls the node. */
export type Intercept = (message: Message, ask: Ask) => unknown

/** Breaks a whole HTTP exchange; returns whether it did. `serial` counts requests from 0. */
export type Breaks = (response: ServerResponse, serial: number) => boolean

export type ProxyNode = {
  url: string
  /** Answers calls in place of the node. */
  intercept: Intercept
  /** Breaks whole HTTP exchanges. */
  breaks: Breaks | undefined
  /** Methods called so far. */
  readonly requested: string[]
  /** Answers a request without HTTP. */
  answer: (path: string, body: string) => Promise<string>
  /** Removes all faults. */
  reset: () => void
  stop: () => Promise<void>
}

/** Starts a proxy of a node that can fail and return wrong results. */
export async function startProxy(target: string): Promise<ProxyNode> {
  let serial = 0
  const forward = <T>(messages: unknown) => postJson(target, JSON.stringify(messages)) as Promise<T>
  const ask = async (method: string, ...params: unknown[]) =>
    (await forward<{ result: unknown }>({ jsonrpc: '2.0', id: 1, method, params })).result

  const read = (body: string): Message | Message[] => {
    const sent: Message | Message[] = JSON.parse(body)
    proxy.requested.push(...[sent].flat().map(message => message.method))
    return sent
  }
  const answer = async (body: Message | Message[]): Promise<string> => {
    const messages = [body].flat()
    const own = await Promise.all(messages.map(async message => proxy.intercept(message, ask)))
    const others = messages.filter((_, i) => own[i] === undefined)
    const forwarded = others.length > 0 ? await forward<{ id: number }[]>(others) : []
    const answers = messages.map(({ id }, i) =>
      own[i] === undefined ? forwarded.find(answer => answer.id === id) : { jsonrpc: '2.0', id, ...(own[i] as object) },
    )
    return JSON.stringify(Array.isArray(body) ? answers : answers[0])
  }
  const server = createServer(async (request, response) => {
    try {
      const body = read(await text(request))
      if (proxy.breaks?.(response, serial++)) return
      response.setHeader('content-type', 'application/json').end(await answer(body))
    } catch {
      // The caller or the node may end in the middle of an exchange.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const proxy: ProxyNode = {
    url: `http://127.0.0.1:${port}`,
    intercept: () => undefined,
    breaks: undefined,
    requested: [],
    reset: () => {
      proxy.intercept = () => undefined
      proxy.breaks = undefined
    },
    answer: (_path, body) => answer(read(body)),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

/** Makes a node lag by some blocks: newer blocks are missing, and `latest` is an old one. */
export const behind = (blocks: number): Intercept => upTo(async ask => Number(await ask('eth_blockNumber')) - blocks)

/** Makes a node stand still at a height. */
export const stuckAt = (height: number): Intercept => upTo(async () => height)

function upTo(heightOf: (ask: Ask) => Promise<number>): Intercept {
  return async ({ method, params }, ask) => {
    if (method !== 'eth_getBlockByNumber' && method !== 'eth_blockNumber') return undefined
    const height = await heightOf(ask)
    if (method === 'eth_blockNumber') return { result: encodeQuantity(height) }
    const [which, full] = params
    if (which === 'latest') return { result: await ask(method, encodeQuantity(height), full) }
    return Number(which) > height ? { result: null } : undefined
  }
}

/** Returns a header that is not the given one, and hashes to its hash. */
export function anotherHeader(header: JsonObject, parentHash = header.parentHash): JsonObject {
  const changed = { ...header, extraData: '0x01', parentHash }
  return { ...changed, hash: headerHash(changed) }
}

/** Makes a node have other blocks than all others above a height. */
export function forkedAbove(height: number): Intercept {
  const blockAt = async (number: number, full: unknown, ask: Ask): Promise<JsonObject | null> => {
    const block = (await ask('eth_getBlockByNumber', encodeQuantity(number), full)) as JsonObject | null
    if (!block || number <= height) return block
    return anotherHeader(block, (await blockAt(number - 1, false, ask))?.hash)
  }
  return async ({ method, params: [which, full] }, ask) => {
    if (method !== 'eth_getBlockByNumber') return undefined
    const number = which === 'latest' ? Number(await ask('eth_blockNumber')) : Number(which)
    return { result: await blockAt(number, full, ask) }
  }
}

/** Makes a node answer this much later (ms). */
export const slow =
  (ms: number): Intercept =>
  async () =>
    void (await sleep(ms))

/** Makes a node answer for another chain. */
export const foreign: Intercept = (message, ask) =>
  message.method === 'eth_chainId' ? { result: '0x1' } : forkedAbove(-1)(message, ask)

/** Breaks one exchange in `every`, in irregular order: truncated response, error page or closed connection. */
export const failing =
  (every: number): Breaks =>
  (response, serial) => {
    const mixed = Math.imul(serial + 1, 0x9e3779b1) >>> 16
    if (mixed % every !== 0) return false
    const how = Math.floor(mixed / every) % 3
    if (how === 0) response.end('{"jsonrpc":"2.0","id":0,"resu')
    else if (how === 1) response.writeHead(503).end('<html>try again</html>')
    else response.destroy()
    return true
  }
