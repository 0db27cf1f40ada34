import type { BlockRef, Transfer, TransferFilter } from '../chain.ts'
import { type RawTransaction, readBigInt, readHash, readNumber } from '../jsonrpc/responses.ts'

/**
 * Picks plain transactions that send native coin to us. A block does not say whether they succeeded: the caller must check
 * their receipts. Internal transfers do not show here; they are found later by balances.
 * @param transactions full transaction objects of the block
 * @throws Error if a transaction is malformed
 */
export function pickNative(
  chain: string,
  block: BlockRef,
  transactions: unknown[],
  isOurs: TransferFilter['isOurs'],
): Transfer[] {
  const found: Transfer[] = []
  for (const item of transactions as RawTransaction[]) {
    // Contract creations have no receiver.
    if (typeof item.to !== 'string') continue
    const to = item.to.toLowerCase()
    if (!isOurs(to)) continue
    const amount = readBigInt(item.value)
    if (amount === 0n) continue
    found.push({
      chain,
      txid: readHash(item.hash),
      blockNumber: block.number,
      blockHash: block.hash,
      blockTime: block.time,
      logIndex: -1 - readNumber(item.transactionIndex),
      ordinal: 0,
      token: null,
      from: item.from.toLowerCase(),
      to,
      amount,
    })
  }
  return found
}
