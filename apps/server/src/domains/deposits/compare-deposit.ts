import { CallRefused, type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { readKnown } from './held-store.ts'
import type { StoredDeposit } from './store.ts'

/** What logs say came in, and what the balance shows, in base units. */
export type Difference = { logged: bigint; received: bigint }

/**
 * What balances say about a deposit: `same` as the logs, `unknown` while they are neither proven nor agreed on, or what differs.
 */
export type Comparison = 'same' | 'unknown' | Difference

/** Seconds after which a current balance includes what was final when its deposit was held. */
const settledAfter = 120

/**
 * Compares a final deposit of a token with balances of its address, proven or agreed: in its block the balance must change by what all
 * logs of the token there move, and in the end be no less than all deposits and sweeps of the address make it. Where nodes have no
 * state of the block, as on TRON, only the second is compared, with the current balance.
 */
export async function compareDeposit(
  deps: Deps,
  chain: ChainView,
  { deposit, contract, final }: { deposit: StoredDeposit; contract: string; final: number },
): Promise<Comparison> {
  const change = await orUnknown(changeIn(chain, deposit, contract))
  // guard: token-change
  if (change && change.logged !== change.received) return change
  const total = await orUnknown(totalOf(deps, chain, { deposit, contract, final }))
  // guard: token-total
  if (total && total.received < total.logged) {
    // What left the address since may not be known yet.
    return total.atBlock || deps.clock() - deposit.held_at! >= settledAfter ? total : 'unknown'
  }
  return change || total ? 'same' : 'unknown'
}

const orUnknown = <T>(reading: Promise<T | null>): Promise<T | null> =>
  reading.catch(error => {
    if (isChainError(error)) return null
    throw error
  })

/** What moved at the address in the block of the deposit. */
async function changeIn(
  chain: ChainView,
  { block_number: number, block_hash: hash, to_address: address }: StoredDeposit,
  contract: string,
): Promise<Difference | null> {
  const block = await chain.blockAt(number)
  if (block?.hash !== hash) return null
  const [after] = (await chain.certainBalances?.(contract, [address], block)) ?? []
  const [before] =
    (await chain.certainBalances?.(contract, [address], { number: number - 1, hash: block.parentHash })) ?? []
  if (after == null || before == null) return null
  const filter = { tokens: [contract], native: false, isOurs: () => true }
  const transfers = chain.isVerified
    ? (await chain.transfersIn(block, filter)).transfers
    : await chain.agreed(number, block, filter)
  if (!transfers) return null
  const sumOf = (key: 'from' | 'to') =>
    transfers.reduce((sum, each) => (each[key] === address ? sum + each.amount : sum), 0n)
  return { logged: sumOf('to') - sumOf('from'), received: after - before }
}

/** What the address must hold, and holds at the final block, or now where nodes have no past state. */
async function totalOf(
  { pool }: Deps,
  chain: ChainView,
  { deposit, contract, final }: { deposit: StoredDeposit; contract: string; final: number },
) {
  const { kind } = chain.definition
  const known = await readKnown(pool, kind, deposit, final)
  const block = await chain.blockAt(final)
  if (known.moving || !block) return null
  const reading = await balanceAt(chain, contract, deposit.to_address, block)
  const again = await readKnown(pool, kind, deposit, final)
  if (!reading || again.moving || again.amount !== known.amount) return null
  return { logged: known.amount, ...reading }
}

async function balanceAt(chain: ChainView, contract: string, address: string, block: { number: number; hash: string }) {
  const read = async (atBlock: boolean) => {
    const [received] = (await chain.certainBalances?.(contract, [address], ...(atBlock ? [block] : []))) ?? []
    return received == null ? null : { received, atBlock }
  }
  try {
    return await read(true)
  } catch (error) {
    if (error instanceof CallRefused) return read(false)
    throw error
  }
}
