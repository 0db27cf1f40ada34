import { type ChainView, isChainError } from '@coffer/chains'
import type { ChainEvent } from '@coffer/chains/follower.ts'
import type { Deps } from '../../deps.ts'
import { listTxidsWithoutGas, writeDepositGas } from './store.ts'

/** What came of reading fees. */
type GasPass = 'done' | 'more' | 'failed'

/** Transactions per call. */
const atOnce = 50

/**
 * Reads the fees that payers spent on deposit transactions. They are for display only, so they are read last, and a
 * failure is retried at the next block. Returns whether more may remain, or that nodes failed.
 */
export async function readDepositGas(deps: Deps, chain: ChainView, fence?: number): Promise<GasPass> {
  if (!chain.receipt) return 'done'
  const txids = await listTxidsWithoutGas(deps.pool, chain.definition.id, atOnce)
  if (txids.length === 0) return 'done'
  try {
    const receipts = await Promise.all(txids.map(txid => chain.receipt!(txid)))
    const found = receipts.filter(each => each !== null).map(({ txid, fee }) => ({ txid, gas: fee }))
    await writeDepositGas(deps.pool, { chainId: chain.definition.id, fence }, found)
    if (txids.length === atOnce && found.length > 0) return 'more'
    return found.length < txids.length ? 'failed' : 'done'
  } catch (error) {
    if (!isChainError(error)) throw error
    return 'failed'
  }
}

/**
 * How long (ms) deposits without their fees wait that no block brought: those of lost blocks, and of other processes.
 */
const gasEvery = 60_000

/**
 * When the fees of deposits are to be read: after blocks with deposits, and again after those that follow if nodes
 * failed.
 */
export class GasReadSchedule {
  #last: GasPass = 'more'
  #at = Number.NEGATIVE_INFINITY
  isDue = true

  done(last: GasPass, now = performance.now()): void {
    this.#last = last
    this.#at = now
    this.isDue = last === 'more'
  }

  applied(event: Exclude<ChainEvent, { type: 'deep-reorg' }>, now = performance.now()): void {
    const brings = event.type === 'reorg' || event.transfers.length + event.settled.length > 0
    if (brings || this.#last === 'failed' || now - this.#at > gasEvery) this.isDue = true
  }
}
