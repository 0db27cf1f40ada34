import type { Deps } from '../../deps.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { loopChains } from '../chains/loop-chains.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { IsolatedRunner } from '../outgoing/alone.ts'
import { isPayable, type PayableChain } from '../outgoing/sender.ts'
import { makeWalletShare, type WalletShare } from '../outgoing/wallet-share.ts'
import { watchTreasury } from '../outgoing/wallets.ts'
import { emptyWallet } from './empty-wallet.ts'
import { sendAboveFloatToTreasury } from './send-above-float-to-treasury.ts'
import { sweepChain } from './sweep-chain.ts'

/**
 * Looks every minute, in the sandbox every two seconds, for deposits to sweep, and for what the hot wallet does not
 * need.
 */
export const runSweepJob = (all: Deps, owners: OutgoingOwners, signal: AbortSignal): Promise<void> => {
  const shares = new Map<string, WalletShare>()
  return loopChains(all, signal, {
    name: 'sweep',
    everyMs: all.config.mode === 'sandbox' ? 2_000 : 60_000,
    // Of each chain's wallets one server does it.
    isEverywhere: true,
    work: async chain => {
      if (!isPayable(chain)) return
      const { id } = chain.definition
      const own = shares.get(id) ?? makeWalletShare(all, chain, `sweep ${id}`)
      shares.set(id, own)
      await own.run(() => sweepWallets(own.deps, chain, owners))
    },
  })
}

async function sweepWallets(deps: Deps, chain: PayableChain, owners: OutgoingOwners): Promise<void> {
  // Also while nothing is swept: a change is told at once.
  await watchTreasury(deps, chain)
  const alone = new IsolatedRunner(deps, chain)
  await alone.run('emptying', () => emptyWallet(deps, chain))
  if (!(await readQueuePause(deps.pool, 'sweeps'))) {
    await alone.run('sweeps', () => sweepChain(deps, chain, owners))
    await alone.run('float', () => sendAboveFloatToTreasury(deps, chain, owners))
  }
  alone.end()
}
