import type { Deps } from '../deps.ts'
import { loop } from '../kit/loop.ts'
import { mineForPending, type Wallet } from './wallet.ts'

/**
 * Mines one block per second while a deposit or a payout waits for confirmations, because local chains do not advance by themselves.
 * With `COFFER_SANDBOX_MINE=manual` blocks are mined only by `POST /sandbox/mine`.
 */
export function startMiner(deps: Deps, wallet: Wallet): () => Promise<void> {
  const stop = new AbortController()
  const done = loop({
    name: 'sandbox miner',
    everyMs: 1_000,
    log: deps.log,
    live: deps.live,
    signal: stop.signal,
    work: async () => ((await mineForPending(deps, wallet)) ? 'soon' : false),
  })
  return async () => {
    stop.abort()
    await done
  }
}
