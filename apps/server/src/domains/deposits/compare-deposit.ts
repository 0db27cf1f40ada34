import { type BlockId, CallRefused, type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { storedBlocks } from '../chains/store.ts'
import { listNewTokenDeposits, readExpectedTokenBalance } from './held-store.ts'
import type { StoredDeposit } from './store.ts'

/** What logs say came in, and what the balance shows, in base units. */
export type BalanceDifference = { logged: bigint; received: bigint }

/**
 * What balances say about a deposit: `same` as the logs, `unknown` while they are neither proven nor agreed on, or what
 * differs.
 */
export type BalanceComparison = 'same' | 'unknown' | BalanceDifference

/** Seconds after which a current balance includes what was final when its deposit was held. */
const settledAfter = 120

/**
 * Compares a final deposit of a token with balances of its address, proven or agreed: in its block the balance must
 * change by what all logs of the token there move, and in the end be no less than all deposits and sweeps of the
 * address make it. Where nodes have no state of the block, as on TRON, only the second is compared, with the current
 * balance.
 */
export async function compareDeposit(
  deps: Deps,
  chain: ChainView,
  { deposit, contract, final }: { deposit: StoredDeposit; contract: string; final: number },
): Promise<BalanceComparison> {
  // Blocks of ours that are final were agreed on: nodes are queried for others only.
  const stored = await storedBlocks(deps.pool, chain.definition.id)
  const ours: Ours = number => stored.find(each => each.number === number)
  const early = readings.get(chain)?.get(keyOf(deposit, ours))
  const changing = (async () => (await early) ?? (await orUnknown(changeIn(chain, { deposit, contract, ours }))))()
  // At once, since balances without a proof wait for slow nodes.
  const [change, total] = await Promise.all([
    changing,
    orUnknown(totalOf(deps, chain, { deposit, contract, final, ours, changing })),
  ])
  // guard: token-change
  if (change && change.logged !== change.received) return { logged: change.logged, received: change.received }
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

/** What moved at an address in the block of its deposit, and what it holds after it. */
type Change = BalanceDifference & { held: bigint }

/** What was read of deposits before they were final, by chain. */
const readings = new WeakMap<ChainView, Map<string, Promise<Change | null>>>()

/**
 * A block's hash determines what it holds, and with it that of its parent: what was read before holds once it is final.
 */
const keyOf = ({ id, block_number: number }: StoredDeposit, ours: Ours) =>
  [id, ours(number)?.hash, ours(number - 1)?.hash].join(' ')

/**
 * Begins to read what the comparison of deposits of new tokens needs while they wait for their confirmations, so that
 * their credit does not wait for slow nodes. What is not certain is read again once they are final.
 */
export async function prefetchComparisons(deps: Deps, chain: ChainView): Promise<void> {
  const { id } = chain.definition
  const deposits = await listNewTokenDeposits(deps.pool, id, deps.config.compareDeposits)
  const before = readings.get(chain)
  if (deposits.length === 0) return void readings.delete(chain)
  const stored = await storedBlocks(deps.pool, id)
  const ours: Ours = number => stored.find(each => each.number === number)
  const now = new Map<string, Promise<Change | null>>()
  for (const { contract, ...deposit } of deposits) {
    const key = keyOf(deposit, ours)
    if (!ours(deposit.block_number - 1)) continue
    now.set(key, before?.get(key) ?? changeIn(chain, { deposit, contract: contract!, ours }).catch(() => null))
  }
  readings.set(chain, now)
}

/** Returns a block of ours that is stored, by its height. */
type Ours = (number: number) => BlockId | undefined

/** What moved at the address in the block of the deposit. */
async function changeIn(
  chain: ChainView,
  { deposit, contract, ours }: { deposit: StoredDeposit; contract: string; ours: Ours },
): Promise<Change | null> {
  const { block_number: number, block_hash: hash, to_address: address } = deposit
  const own = ours(number)
  const before = ours(number - 1)
  const block = own && before ? { ...own, parentHash: before.hash } : await chain.blockAt(number)
  if (block?.hash !== hash) return null
  const filter = { tokens: [contract], native: false, isOurs: () => true }
  const [held, heldBefore, transfers] = await Promise.all([
    chain.certainBalances?.(contract, [address], block),
    chain.certainBalances?.(contract, [address], { number: number - 1, hash: block.parentHash }),
    chain.isVerified
      ? chain.transfersIn(block, filter).then(scan => scan.transfers)
      : chain.agreed(number, block, filter),
  ])
  if (held?.[0] == null || heldBefore?.[0] == null) return null
  if (!transfers) return null
  const sumOf = (key: 'from' | 'to') =>
    transfers.reduce((sum, each) => (each[key] === address ? sum + each.amount : sum), 0n)
  return { logged: sumOf('to') - sumOf('from'), received: held[0] - heldBefore[0], held: held[0] }
}

/** What the address must hold, and holds at the final block, or now where nodes have no past state. */
async function totalOf(
  { pool }: Deps,
  chain: ChainView,
  {
    deposit,
    contract,
    final,
    ours,
    changing,
  }: { deposit: StoredDeposit; contract: string; final: number; ours: Ours; changing: Promise<Change | null> },
) {
  const { kind } = chain.definition
  const known = await readExpectedTokenBalance(pool, kind, deposit, final)
  const block = ours(final) ?? (await chain.blockAt(final))
  if (known.moving || !block) return null
  // Usually the final block is that of the deposit.
  const change = block.hash === deposit.block_hash ? await changing : null
  const reading = change
    ? { received: change.held, atBlock: true }
    : await balanceAt(chain, contract, deposit.to_address, block)
  const again = await readExpectedTokenBalance(pool, kind, deposit, final)
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
