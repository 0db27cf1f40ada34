import { formatDecimal } from '@coffer/contract/kit/decimal.ts'
import type { Deps } from '../../deps.ts'
import { findChainDelay } from '../chains/chain-delay.ts'
import { allChains, readAnySwitch, readPayoutStop } from '../chains/store.ts'
import { readComparisons } from './store.ts'

/** Seconds after which a comparison says nothing of now: three times as long as between two of them. */
const oldAfter = 1_800

/**
 * Reads whether all money is accounted for, by the last comparison of each asset with its chain: what is missing, since
 * when and whether it is stopped, and the assets of which nothing is known, because no comparison was certain for half
 * an hour, or because something is wrong with their chain or a wallet of it.
 */
export async function readReconciliationState({ pool, clock }: Pick<Deps, 'pool' | 'clock'>) {
  const now = clock()
  const [assets, chains, stop] = await Promise.all([
    readComparisons(pool),
    allChains(pool),
    readAnySwitch(pool, 'withdrawals_stopped'),
  ])
  // What leaves a chain that is not read shows in no comparison.
  const unread = new Set(chains.filter(each => each.enabled && findChainDelay(each, now)).map(each => each.id))
  const short = assets.filter(each => each.verdict === 'shortage')
  const missing = await Promise.all(
    short.map(async ({ asset_id, chain_id, definition, token, decimals, missing, since, incident_id }) => ({
      asset_id,
      chain_id,
      chain: definition.name,
      token,
      missing: formatDecimal(missing!, decimals),
      since: since!,
      stopped: (await readPayoutStop(pool, chain_id, asset_id)) !== undefined,
      incident: incident_id ?? '',
    })),
  )
  const unknown = assets.filter(
    each =>
      (each.suspect || unread.has(each.chain_id) || each.compared_at <= now - oldAfter) && each.verdict !== 'shortage',
  )
  return {
    state:
      missing.length > 0 ? ('missing' as const) : unknown.length > 0 ? ('unknown' as const) : ('accounted' as const),
    missing,
    unknown: unknown.map(({ asset_id, chain_id, definition, token, compared_at, suspect }) => ({
      asset_id,
      chain_id,
      chain: definition.name,
      token,
      compared_time: compared_at,
      why: suspect ? ('wallet' as const) : unread.has(chain_id) ? ('unread' as const) : ('old' as const),
    })),
    // The oldest one: all of it was accounted for then.
    compared_time: Math.min(...assets.map(each => each.compared_at), now),
    stopped: stop !== undefined,
    now,
  }
}
