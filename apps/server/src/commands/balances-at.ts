import type { BlockId, ChainView } from '@coffer/chains'

/** Balances asked for at once. */
const atOnce = 20

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
