import type { ReportedTransfer } from '../chain.ts'
import { TRANSFER } from './logs.ts'
import { type RawLog, readBigInt, readList, readReceipt } from './responses.ts'

const WORD = /^0x[0-9a-f]{64}$/i

/** Returns a key by which reports of one transfer from different nodes compare equal. */
export function transferKey({ txid, blockHash, token, ordinal, to, amount }: ReportedTransfer): string {
  return [txid, blockHash, token, ordinal, to, amount].join(' ')
}

/** Returns the keys of all token transfers in a transaction's receipt. Throws Missing for null. */
export function keysInReceipt(value: unknown): string[] {
  const { txid, blockHash, status } = readReceipt(value)
  if (status === 'reverted') return []
  const ordinals = new Map<string, number>()
  return (readList((value as { logs: unknown }).logs) as RawLog[]).flatMap(({ address, topics, data }) => {
    if (topics[0]?.toLowerCase() !== TRANSFER || topics.length !== 3) return []
    const token = address.toLowerCase()
    const ordinal = ordinals.get(token) ?? 0
    ordinals.set(token, ordinal + 1)
    // Any contract can emit a malformed Transfer event in the same transaction.
    if (!WORD.test(data)) return []
    const to = `0x${topics[2]!.slice(26)}`.toLowerCase()
    return [transferKey({ txid, blockHash, token, ordinal, to, amount: BigInt(data) })]
  })
}

/** Returns the key of a plain transaction's native transfer, if it succeeded. */
export function keysInTransaction(value: unknown, receipt: unknown): string[] {
  const { txid, blockHash, status } = readReceipt(receipt)
  const { to, value: amount } = value as { to: unknown; value: unknown }
  if (status === 'reverted' || typeof to !== 'string') return []
  return [transferKey({ txid, blockHash, token: null, ordinal: 0, to: to.toLowerCase(), amount: readBigInt(amount) })]
}
