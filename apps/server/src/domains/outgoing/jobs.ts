import { isChainError } from '@coffer/chains'
import { encodeHaltReason } from '@coffer/contract/incidents/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { runJobLoop } from '../../kit/loop.ts'
import { registry } from '../../kit/metrics.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { chainLoopPauseMs, loopChains } from '../chains/loop-chains.ts'
import { advanceTransactions } from './advance.ts'
import { IsolatedRunner, isRecordedFailure } from './alone.ts'
import { doubtCopiedPayouts } from './doubt-copied-payouts.ts'
import { createSendingFor } from './kinds.ts'
import { type PayoutRefusals, payDue } from './pay-due.ts'
import { undoLostFoundPayouts } from './record-found-payout.ts'
import { isPayable, type PayableChain } from './sender.ts'
import { raiseNonce, walletOfRole } from './store.ts'
import { makeWalletShare, sendingWork } from './wallet-share.ts'
import { ensureWallet, haltWallet } from './wallets.ts'
import { type CoinReading, watchCoin } from './watch-coin.ts'

/** Sends the transactions of the chains that this server pays on, of all, until `signal` aborts. */
export const sendOutgoing = async (deps: Deps, owners: OutgoingOwners, signal: AbortSignal): Promise<void> => {
  const chains = [...deps.chains.values()].filter(isPayable)
  await Promise.all(
    chains.map(chain => {
      const { id, net, blockTime } = chain.definition
      const refusals: PayoutRefusals = new Map()
      const own = makeWalletShare(deps, chain, sendingWork(id))
      return runJobLoop({
        name: sendingWork(id),
        everyMs: net === 'sandbox' ? 500 : Math.min(Math.max(blockTime * 500, 1_000), 4_000),
        log: deps.log,
        live: deps.live,
        restingMs: chainLoopPauseMs,
        signal,
        share: { run: (_, act) => own.run(act) },
        work: async () => {
          try {
            if (await runSendingPass(own.deps, chain, owners, refusals)) return 'soon'
          } catch (error) {
            // A part that failed is logged, and reported once it lasts. The rest of the pass was done.
            if (isRecordedFailure(error)) return 'soon'
            // The chain's follower reports node failures.
            if (!isChainError(error)) throw error
          }
          return false
        },
      })
    }),
  )
}

const affordable = new Gauge({
  name: 'coffer_wallet_gas_transfers',
  help: 'Token transfers that the native coin of the hot wallet pays for at present fees',
  labelNames: ['chain'],
  registers: [registry],
})

/** Measures every minute how many transfers each hot wallet can pay the gas of. */
export const measureGas = (deps: Deps, signal: AbortSignal): Promise<void> =>
  loopChains(deps, signal, {
    name: 'measure gas',
    everyMs: 60_000,
    // Its gauge is this process's.
    isEverywhere: true,
    work: async chain => {
      const wallet = isPayable(chain) ? await walletOfRole(deps.pool, chain.definition.id, 'hot') : undefined
      if (!isPayable(chain) || !wallet) return
      const [coins, fee] = await Promise.all([
        chain.balanceOf(null, wallet.address),
        createSendingFor(chain).usualFee(true),
      ])
      affordable.set({ chain: chain.definition.id }, Number(coins / (fee || 1n)))
    },
  })

/**
 * Looks every minute, in the sandbox every five seconds, whether native coin has left a wallet without a transaction of
 * ours.
 */
export const watchWallets = (deps: Deps, signal: AbortSignal): Promise<void> => {
  const waiting = new Map<string, CoinReading | null>()
  return loopChains(deps, signal, {
    name: 'watch wallets',
    everyMs: deps.config.mode === 'sandbox' ? 5_000 : 60_000,
    work: async chain => {
      const { id } = chain.definition
      if (isPayable(chain)) waiting.set(id, await watchCoin(deps, chain, waiting.get(id)))
    },
  })
}

/**
 * One pass over a chain: moves what is under way, then takes nonces for what is due, and sends it. Returns whether
 * there was any. What fails keeps nothing else from being done; an error of ours is thrown at the end.
 */
export async function runSendingPass(
  deps: Deps,
  chain: PayableChain,
  owners: OutgoingOwners,
  refusals: PayoutRefusals,
): Promise<boolean> {
  const alone = new IsolatedRunner(deps, chain)
  const move = () => alone.run('what is under way', () => advanceTransactions(deps, chain, owners, alone))
  const isUnderWay = (await move()) ?? true
  await alone.run('payouts of a restored database', () => doubtCopiedPayouts(deps, chain, owners))
  await alone.run('payouts that a reorg undid', () => undoLostFoundPayouts(deps, chain, owners))
  const isDue = await alone.run('what is due', async () => {
    const wallet = await ensureWallet(deps, chain, 'hot')
    if (!wallet || (await isUsedElsewhere(deps, chain, wallet.address))) return null
    return payDue(deps, chain, owners, wallet, refusals, alone)
  })
  if (isDue !== null && (isUnderWay || isDue)) await move()
  alone.end()
  return isUnderWay || isDue === true
}

/** Halts the hot wallet when the chain has a higher nonce than was ever taken: somebody else has its key. */
async function isUsedElsewhere(deps: Deps, chain: PayableChain, address: string): Promise<boolean> {
  const { id } = chain.definition
  const { nonces } = createSendingFor(chain)
  if (!nonces) return false
  // Read before ours, which only grows and is committed before a transaction is sent.
  const mined = await nonces.next(address)
  const wallet = await walletOfRole(deps.pool, id, 'hot')
  if (!wallet || mined <= wallet.next_nonce) return false
  const reason = encodeHaltReason('nonce_ahead', String(mined), String(wallet.next_nonce))
  await tx(deps.pool, async (c, uow) => {
    // Once a person resumes the wallet it goes on above what was used elsewhere.
    await raiseNonce(c, id, address, mined)
    await haltWallet(deps, uow, { chain_id: id, from_address: address, nonce: mined }, reason)
  })
  return true
}
