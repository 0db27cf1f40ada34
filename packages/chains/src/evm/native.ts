import type { BlockRef, Transfer, TransferFilter } from '../chain.ts'
import { type RawTransaction, readBigInt, readHash, readNumber } from '../jsonrpc/answers.ts'

/**
 * Picks the plain transactions that carry native coin to us. Whether they succeeded is not in a block: the caller
 * must ask for their receipts. Coin sent from inside a contract's call is not here; balances tell of it later.
 * @param transactions the block's transactions in full, as answered
 * @throws Error when a transaction is malformed
 */
export function pickNative(
  chain: string,
  block: BlockRef,
  transactions: unknown[],
  isOurs: TransferFilter['isOurs'],
): Transfer[] {
  const found: Transfer[] = []
  for (const item of transactions as RawTransaction[]) {
    // A transaction that makes a contract has no receiver.
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
