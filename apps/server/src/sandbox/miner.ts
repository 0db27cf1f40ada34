import type { Deps } from '../deps.ts'
import { loop } from '../kit/loop.ts'
import { mineForWaiting, type Wallet } from './wallet.ts'

/**
 * Local chains stand still by themselves. While a deposit waits for confirmations this mines a block a second, also
 * after a restart. `COFFER_SANDBOX_MINE=manual` leaves it to `POST /sandbox/mine`.
 */
export function startMiner(deps: Deps, wallet: Wallet): () => Promise<void> {
  const stop = new AbortController()
  const done = loop({
    name: 'sandbox miner',
    everyMs: 1_000,
    log: deps.log,
    signal: stop.signal,
    work: async () => {
      await mineForWaiting(deps, wallet)
      return false
    },
  })
  return async () => {
    stop.abort()
    await done
  }
}
