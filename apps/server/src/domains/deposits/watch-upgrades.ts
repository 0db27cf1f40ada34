import { type ChainView, chainAdapters, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { all, run, tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { isWatchedSql } from '../chains/assets.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { insertIncidents } from '../chains/store.ts'

const tokens = all(
  'assets-implementations',
  `select id, contract, implementation from assets a
   where chain_id = $1 and contract is not null and ${isWatchedSql('a')} order by id`,
)
/**
 * Stores whose code a token runs. Affects no row where it was stored meanwhile. With another code, its deposits are
 * compared anew.
 */
const store = run(
  'asset-implementation',
  `update assets set implementation = $3, compared = case when $2::text is null then compared else 0 end
   where id = $1 and implementation is not distinct from $2::text`,
)

/** Notices upgrades of tokens, on every chain. */
export const watchAllUpgrades = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loopChains(deps, signal, {
    name: 'watch upgrades',
    everyMs: 600_000,
    work: chain => watchUpgrades(deps, chain),
  })

/**
 * Compares whose code each token runs with what was stored, and opens one incident for each upgrade. Its next deposits
 * are compared with balances, as those of a new token are.
 */
export async function watchUpgrades({ pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>, chain: ChainView) {
  const { id: chain_id, kind } = chain.definition
  if (!chain.implementationOf) return
  for (const { id, contract, implementation: was } of await tokens(pool, chain_id)) {
    const is = await chain.implementationOf(contract!).catch(error => {
      if (!isChainError(error)) throw error
      return null
    })
    if (is === null || is === was) continue
    const show = (address: string | null) => address && chainAdapters[kind].address.show(address)
    const detail = { asset_id: id, token: contract, was: show(was), now: show(is) }
    await tx(pool, async c => {
      // guard: upgrade-once
      if ((await store(c, id, was, is)) === 0 || was === null) return
      await insertIncidents(c, [{ id: newId(), kind: 'token_upgraded', chain_id, detail, created_at: clock() }])
      log.warn({ chain: chain_id, ...detail }, 'a token runs other code than before')
    })
  }
}
