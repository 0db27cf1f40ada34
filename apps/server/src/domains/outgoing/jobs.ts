import { isChainError } from '@coffer/chains'
import { haltReason } from '@coffer/contract/incidents/reasons.ts'
import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { loop } from '../../kit/loop.ts'
import { registry } from '../../kit/metrics.ts'
import type { Owners } from '../../owner.ts'
import { chainRestMs, loopChains } from '../chains/loop-chains.ts'
import { advance } from './advance.ts'
import { Alone, isNoted } from './alone.ts'
import { sendingOn } from './kinds.ts'
import { payDue, type Refusals } from './pay-due.ts'
import { isPayable, type Sender } from './sender.ts'
import { raiseNonce, walletOfRole } from './store.ts'
import { haltWallet, walletOf } from './wallets.ts'
import { type CoinReading, watchCoin } from './watch-coin.ts'

/** Sends the transactions of all chains that can be paid on until `signal` aborts. */
export const send = async (deps: Deps, owners: Owners, signal: AbortSignal): Promise<void> => {
  const chains = [...deps.chains.values()].filter(isPayable)
  await Promise.all(
    chains.map(chain => {
      const { id, net, blockTime } = chain.definition
      const refusals: Refusals = new Map()
      return loop({
        name: `send on ${id}`,
        everyMs: net === 'sandbox' ? 500 : Math.min(Math.max(blockTime * 500, 1_000), 4_000),
        log: deps.log,
        live: deps.live,
        restingMs: chainRestMs,
        signal,
        work: async () => {
          try {
            if (await sendOnce(deps, chain, owners, refusals)) return 'soon'
          } catch (error) {
            // A part that failed is logged, and reported once it lasts. The rest of the pass was done.
            if (isNoted(error)) return 'soon'
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
    work: async chain => {
      const wallet = isPayable(chain) ? await walletOfRole(deps.pool, chain.definition.id, 'hot') : undefined
      if (!isPayable(chain) || !wallet) return
      const [coins, fee] = await Promise.all([chain.balanceOf(null, wallet.address), sendingOn(chain).usualFee(true)])
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
export async function sendOnce(deps: Deps, chain: Sender, owners: Owners, refusals: Refusals): Promise<boolean> {
  const alone = new Alone(deps, chain)
  const move = () => alone.run('what is under way', () => advance(deps, chain, owners, alone))
  const isUnderWay = (await move()) ?? true
  const isDue = await alone.run('what is due', async () => {
    const wallet = await walletOf(deps, chain, 'hot')
    if (!wallet || (await isUsedElsewhere(deps, chain, wallet.address))) return null
    return payDue(deps, chain, owners, wallet, refusals, alone)
  })
  if (isDue !== null && (isUnderWay || isDue)) await move()
  alone.end()
  return isUnderWay || isDue === true
}

/** Halts the hot wallet when the chain has a higher nonce than was ever taken: somebody else has its key. */
async function isUsedElsewhere(deps: Deps, chain: Sender, address: string): Promise<boolean> {
  const { id } = chain.definition
  const { nonces } = sendingOn(chain)
  if (!nonces) return false
  // Read before ours, which only grows and is committed before a transaction is sent.
  const mined = await nonces.next(address)
  const wallet = await walletOfRole(deps.pool, id, 'hot')
  if (!wallet || mined <= wallet.next_nonce) return false
  const reason = haltReason('nonce_ahead', String(mined), String(wallet.next_nonce))
  await tx(deps.pool, async (c, uow) => {
    // Once a person resumes the wallet it goes on above what was used elsewhere.
    await raiseNonce(c, id, address, mined)
    await haltWallet(deps, uow, { chain_id: id, from_address: address, nonce: mined }, reason)
  })
  return true
}
