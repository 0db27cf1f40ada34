import type { BlockId, ChainView } from '@coffer/chains'

/** Balances asked for at once. */
const atOnce = 20

/** What addresses held in a block. */
export interface Reading {
  block: BlockId
  balances: Map<string, bigint>
}

/** What each address holds of a token (null: the native coin), in a block or now, in the order of the addresses. */
export async function balancesAt(
  chain: ChainView,
  contract: string | null,
  addresses: readonly string[],
  block?: BlockId,
): Promise<bigint[]> {
  const balances: bigint[] = []
  for (let i = 0; i < addresses.length; i += atOnce) {
    const some = addresses.slice(i, i + atOnce)
    balances.push(...(await Promise.all(some.map(address => chain.balanceOf(contract, address, block)))))
  }
  return balances
}

/** What addresses hold where the nodes themselves call it final, some addresses at a time; nothing on chains that do not tell. */
export async function settledReadings(chain: ChainView, addresses: readonly string[]): Promise<Reading[]> {
  const readings: Reading[] = []
  for (let i = 0; i < addresses.length; i += atOnce) {
    const some = addresses.slice(i, i + atOnce)
    const settled = await chain.settledBalances?.(some)
    if (!settled) continue
    const { block, balances } = settled
    readings.push({ block, balances: new Map(some.map((address, index) => [address, balances[index]!])) })
  }
  return readings
}
