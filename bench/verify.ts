import { ethereum, sandboxOf } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { type Figure, median, scope } from './figure.ts'
import { longChain } from './scan.ts'

const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations: 2, blockTime: 1, tokens: [] })
/** Blocks per measurement. */
const blocks = 40

type Blocks = { url: string; first: number; last: number }

/** Blocks whose contents are verified per second, compared with only reading and parsing the same answers. */
export async function verify(): Promise<Figure[]> {
  return [...(await verified(200, 8)), ...(await verified(1_000, 4))]
}

/** `range` blocks per request, as the follower chooses for blocks of this size. */
async function verified(perBlock: number, range: number): Promise<Figure[]> {
  const here = scope()
  try {
    const chain = { ...(await longChain(here, blocks, perBlock)), last: blocks }
    const first = `0x${(0xabc0000).toString(16).padStart(40, '0')}`
    const view = new EvmChain(definition, { endpoints: [{ url: chain.url }] })
    const filter = { tokens: [chain.token], native: true, isOurs: (to: string) => to === first }
    const ours = async (from: number, to: number) => (await view.transfersRange(from, to, filter)).transfers.length
    const rounds: [ours: number, raw: number][] = []
    for (let round = 0; round < 4; round++)
      rounds.push([await speed(chain, range, ours), await speed(chain, range, (from, to) => readRaw(chain, from, to))])
    // The first round warms up.
    const [mine, raw] = [0, 1].map(i => median(rounds.slice(1).map(each => each[i]!))) as [number, number]
    return [
      {
        what: `blocks of ${perBlock} transactions, verified`,
        value: `${mine.toFixed(1)} /s`,
        comparison: `${(mine / raw).toFixed(2)} of the same blocks and receipts read and parsed as JSON (${raw.toFixed(1)} /s)`,
      },
    ]
  } finally {
    await here.end()
  }
}

/** Reads all blocks, two ranges at a time like the follower. Returns blocks per second. */
async function speed({ first, last }: Blocks, range: number, read: (from: number, to: number) => Promise<number>) {
  const started = performance.now()
  let next = first
  const readOn = async () => {
    for (let from = next; from <= last; from = next) {
      next += range
      const to = Math.min(from + range - 1, last)
      if ((await read(from, to)) !== to - from + 1) throw new Error('blocks are missing')
    }
  }
  await Promise.all([readOn(), readOn()])
  return (blocks / (performance.now() - started)) * 1000
}

/** Parses blocks and receipts as JSON and discards them. */
async function readRaw({ url }: Blocks, from: number, to: number): Promise<number> {
  const ask = async (method: string, more: unknown[]) => {
    const calls = Array.from({ length: to - from + 1 }, (_, i) => {
      return { jsonrpc: '2.0', id: i, method, params: [`0x${(from + i).toString(16)}`, ...more] }
    })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(calls) })
    return ((await response.json()) as unknown[]).length
  }
  const found = await ask('eth_getBlockByNumber', [true])
  await ask('eth_getBlockReceipts', [])
  return found
}
