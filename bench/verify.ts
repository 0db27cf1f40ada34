import { ethereum, sandboxOf } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import { type Figure, median, scope } from './figure.ts'
import { rawSpeed, speed } from './raw.ts'
import { longChain } from './scan.ts'

const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations: 2, blockTime: 1, tokens: [] })
/** Blocks per measurement. */
const blocks = 40

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
    for (let round = 0; round < 4; round++) rounds.push([await speed(chain, range, ours), await rawSpeed(chain, range)])
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
