import { type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { depositsWithoutGas, writeGas } from './store.ts'

/** Transactions per call. */
const atOnce = 50

/**
 * Reads the fees that payers spent on deposit transactions. They are for display only, so they are read last, and a
 * failure is retried at the next block. Returns whether more may remain.
 */
export async function readGas(deps: Deps, chain: ChainView, fence?: number): Promise<boolean> {
  if (!chain.receipt) return false
  const txids = await depositsWithoutGas(deps.pool, chain.definition.id, atOnce)
  if (txids.length === 0) return false
  try {
    const receipts = await Promise.all(txids.map(txid => chain.receipt!(txid)))
    const found = receipts.filter(each => each !== null).map(({ txid, fee }) => ({ txid, gas: fee }))
    await writeGas(deps.pool, { chainId: chain.definition.id, fence }, found)
    return txids.length === atOnce && found.length > 0
  } catch (error) {
    if (!isChainError(error)) throw error
    return false
  }
}
