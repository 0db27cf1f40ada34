import type { Deps } from '../../deps.ts'
import type { Owners } from '../../owner.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { pauseOf } from '../chains/pause-queue.ts'
import { Alone } from '../outgoing/alone.ts'
import { isPayable } from '../outgoing/sender.ts'
import { watchTreasury } from '../outgoing/wallets.ts'
import { emptyWallet } from './empty-wallet.ts'
import { keepFloat } from './keep-float.ts'
import { sweepChain } from './sweep-chain.ts'

/**
 * Looks every minute, in the sandbox every two seconds, for deposits to sweep, and for what the hot wallet does not
 * need.
 */
export const sweep = (deps: Deps, owners: Owners, signal: AbortSignal): Promise<void> =>
  loopChains(deps, signal, {
    name: 'sweep',
    everyMs: deps.config.mode === 'sandbox' ? 2_000 : 60_000,
    work: async chain => {
      if (!isPayable(chain)) return
      // Also while nothing is swept: a change is told at once.
      await watchTreasury(deps, chain)
      const alone = new Alone(deps, chain)
      await alone.run('emptying', () => emptyWallet(deps, chain))
      if (!(await pauseOf(deps.pool, 'sweeps'))) {
        await alone.run('sweeps', () => sweepChain(deps, chain, owners))
        await alone.run('float', () => keepFloat(deps, chain, owners))
      }
      alone.end()
    },
  })
