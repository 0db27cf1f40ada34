import { createSendingFor } from '../outgoing/kinds.ts'
import type { PayableChain } from '../outgoing/sender.ts'
import { reconciledTxidPrefix } from '../payments/to-deposit-view.ts'

/** How long nodes may take to say whether a transaction stands (ms). */
const patienceMs = 3_000
/** Transactions that are looked up at once. */
const atOnce = 20

export type OnChainConfirmation = 'yes' | 'no' | 'unknown'

/**
 * Reads whether transactions stand on a chain now: `yes` where a quorum has the receipt of one that succeeded, `no`
 * where it reverted or a node that answers has none, `unknown` where they do not agree, or not within 3 s.
 */
export async function readOnChainConfirmations(
  chain: PayableChain | undefined,
  txids: readonly string[],
): Promise<ReadonlyMap<string, OnChainConfirmation>> {
  if (!chain) return new Map()
  const signal = AbortSignal.timeout(patienceMs)
  const late = new Promise<'unknown'>(resolve => signal.addEventListener('abort', () => resolve('unknown')))
  const read = async (txid: string): Promise<OnChainConfirmation> => {
    // Found without its transaction, by a balance.
    if (txid.startsWith(reconciledTxidPrefix)) return 'unknown'
    const receipt = await chain.receipt(txid)
    if (!receipt) return 'no'
    const certain = await createSendingFor(chain).certainReceipt(txid, {
      number: receipt.blockNumber,
      hash: receipt.blockHash,
    })
    return certain === null ? 'unknown' : certain.status === 'success' ? 'yes' : 'no'
  }
  const found = new Map<string, OnChainConfirmation>()
  const distinct = [...new Set(txids)]
  for (let i = 0; i < distinct.length && !signal.aborted; i += atOnce)
    await Promise.all(
      distinct.slice(i, i + atOnce).map(async txid => {
        found.set(txid, await Promise.race([read(txid).catch(() => 'unknown' as const), late]))
      }),
    )
  return found
}
