import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Number of faulty answers by kind. */
export type Faults = Record<string, number>

export interface BadNode {
  url: string
  faults: Faults
  /** Stops the faults. */
  behave: () => void
  /** Refuses everything for some time, as a node that is restarted. */
  die: (ms: number) => Promise<void>
  stop: () => Promise<void>
}

interface Call {
  method: string
  params?: unknown[]
}
type Answer = { result?: unknown }

/** Calls of the server's follower and of its payouts. Those of the sandbox's wallet never fail. */
const watching =
  /^eth_(blockNumber|getBlock|getLogs|sendRawTransaction|getTransactionReceipt|feeHistory|estimateGas|getTransactionCount)/
const kinds = ['slow', 'silent', 'reset', 'cut', '429', '500', 'not json', 'no result', 'no logs', 'old head'] as const

/** Starts a proxy to the node at `target` that makes a fraction `rate` of the answers late, broken or wrong. */
export async function startBadNode(target: string, rate: number, random: () => number): Promise<BadNode> {
  const faults: Faults = {}
  let isBad = true
  let isDead = false
  const heads: unknown[] = []
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    if (isDead) return void response.destroy()
    try {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      const body = Buffer.concat(parts).toString()
      const parsed: Call | Call[] = JSON.parse(body)
      const calls = [parsed].flat()
      const headers = { 'content-type': 'application/json' }
      const answer = await (await fetch(target, { method: 'POST', headers, body })).text()
      const answers: Answer | Answer[] = JSON.parse(answer)
      const all = [answers].flat()
      calls.forEach((call, index) => {
        if (isHead(call) && all[index]?.result) heads.push(all[index].result)
      })
      heads.splice(0, heads.length - 4)
      const kind =
        isBad && calls.every(call => watching.test(call.method)) && random() < rate ? pick(random) : undefined
      if (kind) faults[kind] = (faults[kind] ?? 0) + 1
      await reply(response, { kind, answer, answers, all, calls, oldHead: heads[0] })
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    behave: () => {
      isBad = false
    },
    die: async ms => {
      isDead = true
      server.closeAllConnections()
      await sleep(ms)
      isDead = false
    },
    stop: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

const pick = (random: () => number) => kinds[Math.floor(random() * kinds.length)]
const isHead = ({ method, params }: Call) => method === 'eth_getBlockByNumber' && params?.[0] === 'latest'

interface Reply {
  kind: (typeof kinds)[number] | undefined
  answer: string
  answers: Answer | Answer[]
  all: Answer[]
  calls: Call[]
  oldHead: unknown
}

async function reply(response: ServerResponse, { kind, answer, answers, all, calls, oldHead }: Reply): Promise<void> {
  response.setHeader('content-type', 'application/json')
  if (kind === 'silent') return
  if (kind === 'reset') return void response.destroy()
  if (kind === '429' || kind === '500') return void response.writeHead(Number(kind)).end('busy')
  if (kind === 'not json') return void response.end('<html>Bad gateway</html>')
  if (kind === 'cut') {
    response.setHeader('content-length', Buffer.byteLength(answer))
    response.write(answer.slice(0, answer.length / 2), () => response.destroy())
    return
  }
  if (kind === 'slow') await sleep(2_000)
  calls.forEach((call, index) => {
    const one = all[index]
    if (!one) return
    if (kind === 'no result') one.result = null
    if (kind === 'no logs' && call.method === 'eth_getLogs') one.result = []
    if (kind === 'old head' && isHead(call)) one.result = oldHead
  })
  response.end(JSON.stringify(answers))
}
