import type { Deps } from '../../deps.ts'
import type { IsolatedRunner } from '../outgoing/alone.ts'
import { type ChainWithExpiry, readCertainBalance } from '../outgoing/sender.ts'
import { computeSentNativeCoin, setCancelled } from '../outgoing/store.ts'
import { readUnminedSweeps } from './store.ts'

/** Seconds for which a sweep may be in no block before its address is sent more coin, or the sweep is cancelled. */
export const unminedSweepTimeoutSeconds = 600

/** Why a sweep is cancelled whose address lacks the native coin for it. */
export const missingCoinReason = 'the coin is not there'

/**
 * Cancels sweeps of a chain without nonces that stay in no block because their addresses lack the native coin for them:
 * it left with a deep reorg. They would be signed again for ever, and nothing else is sent from there meanwhile. What
 * the addresses hold then is swept again a day later.
 */
export async function cancelSweepsWithoutCoin(
  deps: Deps,
  chain: ChainWithExpiry,
  alone: IsolatedRunner,
): Promise<void> {
  const { id } = chain.definition
  for (const { address, nonce, intent } of await readUnminedSweeps(
    deps.pool,
    id,
    deps.clock() - unminedSweepTimeoutSeconds,
  ))
    await alone.run(`coin of ${address}`, async () => {
      const held = await readCertainBalance(chain, null, address)
      if (held === null || held >= computeSentNativeCoin(intent) + chain.expiring.bandwidthFee) return
      await setCancelled(deps.pool, id, address, nonce, missingCoinReason, deps.clock())
    })
}
