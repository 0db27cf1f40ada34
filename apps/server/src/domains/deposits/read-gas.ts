import { type ChainView, isChainError } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { depositsWithoutGas, writeGas } from './store.ts'

/** Transactions asked for at once. */
const atOnce = 50

/**
 * Reads what payers spent on the transactions of deposits: for people to see, so it is done after what matters and a
 * failure waits for the next block. Gives whether there may be more to read now.
 */
export async function readGas(deps: Deps, chain: ChainView): Promise<boolean> {
  const txids = await depositsWithoutGas(deps.pool, chain.definition.id, atOnce)
  if (txids.length === 0) return false
  try {
    const receipts = await Promise.all(txids.map(txid => chain.receipt(txid)))
    const found = receipts.filter(each => each !== null).map(({ txid, fee }) => ({ txid, gas: fee }))
    await writeGas(deps.pool, chain.definition.id, found)
    return txids.length === atOnce && found.length > 0
  } catch (error) {
    if (!isChainError(error)) throw error
    return false
  }
}
