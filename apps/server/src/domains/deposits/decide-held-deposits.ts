import { type ChainView, chainAdapters } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { readChainAssets } from '../chains/assets.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { insertIncidents, lockChain, readChain } from '../chains/store.ts'
import { type BalanceDifference, compareDeposit, prefetchComparisons } from './compare-deposit.ts'
import { DepositBatch } from './deposit-batch.ts'
import { chainsToDecide, lockHeldDeposits, putTokenOnHold, recordComparisons, undecidedDeposits } from './held-store.ts'
import type { StoredDeposit } from './store.ts'
import { comparisonInterval } from './token-gate.ts'
import { watchSiblings } from './watch-siblings.ts'

/** Seconds after which a deposit that cannot be compared no longer waits. */
export const comparisonWaitMaxSeconds = 3_600

/** Decides held deposits, on every chain, and reports those that an operator must decide. */
export const decideAllHeldDeposits = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loopChains(deps, signal, {
    name: 'compare tokens',
    everyMs: 2_000,
    listen: wake => deps.live.onType('deposit', wake),
    due: () => chainsToDecide(deps.pool, deps.config.compareDeposits),
    work: async chain => {
      await decideHeldDeposits(deps, chain)
      await watchSiblings(deps, chain.definition)
    },
  })

/**
 * Decides what becomes of held deposits whose token is not on hold: compares them with balances, and credits those that
 * agree, as those of a token that was released. A difference puts the token on hold. So does a deposit that could not
 * be compared for an hour, while the token is new; of a token that has been compared before, it is credited, and a
 * later one compared in its place. Deposits of a refused token are dropped. Returns the number of deposits decided.
 */
export async function decideHeldDeposits(deps: Deps, chain: ChainView): Promise<number> {
  const { id } = chain.definition
  await prefetchComparisons(deps, chain)
  const found = await undecidedDeposits(deps.pool, id)
  if (found.length === 0) return 0
  const row = await readChain(deps.pool, id)
  if (!row || row.halted) return 0
  const refused = found.filter(each => each.refused)
  const released = found.filter(each => !each.refused && each.held_at === 0)
  let decided = await end(deps, id, refused, 'drop')
  decided += await end(deps, id, released, 'credit')
  const onHold = new Set<string>()
  for (const { contract, compared, refused, ...deposit } of found) {
    if (refused || deposit.held_at === 0 || onHold.has(deposit.asset_id)) continue
    const comparison = await compareDeposit(deps, chain, { deposit, contract: contract!, final: row.final_number })
    const isOver = deps.clock() - deposit.held_at! >= comparisonWaitMaxSeconds
    if (comparison === 'same') decided += await end(deps, id, [deposit], 'credit', 1)
    else if (comparison !== 'unknown' || (isOver && compared < deps.config.compareDeposits)) {
      onHold.add(deposit.asset_id)
      await hold(deps, chain, deposit, comparison === 'unknown' ? null : comparison)
    } else if (isOver) {
      deps.log.warn({ chain: id, deposit: deposit.id }, 'no node has balances to compare a deposit with')
      decided += await end(deps, id, [deposit], 'credit', 0)
    }
  }
  return decided
}

/**
 * Credits or drops held deposits.
 * @param compared how many of them agree with balances; absent if none was to be compared
 */
async function end(
  deps: Deps,
  chainId: string,
  held: readonly StoredDeposit[],
  how: 'credit' | 'drop',
  compared?: number,
): Promise<number> {
  if (held.length === 0) return 0
  return tx(deps.pool, async (c, uow) => {
    const chain = (await lockChain(c, chainId))!
    if (chain.halted) return 0
    const assets = await readChainAssets(c, chainId)
    const state = how === 'credit' ? null : 'refused'
    const of = await lockHeldDeposits(
      c,
      chainId,
      held.map(each => each.id),
    )
    // An operator, or another comparison, may have decided otherwise meanwhile.
    const deposits = of.filter(each => assets.get(each.asset_id)!.hold === state)
    if (deposits.length === 0) return 0
    const tradeNos = deposits.map(each => each.trade_no)
    const batch = await DepositBatch.open(deps, uow, { chain, assets, tradeNos, now: deps.clock() })
    for (const deposit of deposits) batch[how](deposit)
    await batch.save()
    if (compared !== undefined)
      await recordComparisons(c, deposits[0]!.asset_id, compared, comparisonInterval - 1, deps.config.compareDeposits)
    return deposits.length
  })
}

/** Puts the token of a deposit on hold and records why; `difference` null: it could not be compared. */
async function hold(
  deps: Deps,
  chain: ChainView,
  deposit: StoredDeposit,
  difference: BalanceDifference | null,
): Promise<void> {
  const { id, kind } = chain.definition
  await tx(deps.pool, async c => {
    await lockChain(c, id)
    if ((await putTokenOnHold(c, deposit.asset_id)) === 0) return
    const detail = {
      asset_id: deposit.asset_id,
      deposit_id: deposit.id,
      txid: chainAdapters[kind].showTxid(deposit.txid),
      to: chainAdapters[kind].address.show(deposit.to_address),
      ...(difference && { logged: String(difference.logged), received: String(difference.received) }),
    }
    const incident = difference ? 'token_differs' : 'token_unknown'
    await insertIncidents(c, [{ id: newId(), kind: incident, chain_id: id, detail, created_at: deps.clock() }])
    deps.log.error({ chain: id, ...detail }, 'a token is on hold: what its logs say is not what balances show')
  })
}
