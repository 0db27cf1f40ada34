import type { ReportedTransfer } from '../chain.ts'
import { type RawLog, readBigInt, readList, readReceipt } from './answers.ts'
import { TRANSFER } from './logs.ts'

const WORD = /^0x[0-9a-f]{64}$/i

/** By what a transfer is the same wherever it is told of. */
export function transferKey({ txid, blockHash, token, ordinal, to, amount }: ReportedTransfer): string {
  return [txid, blockHash, token, ordinal, to, amount].join(' ')
}

/** The names of all transfers of tokens that a transaction's receipt has. Throws Missing for null. */
export function keysInReceipt(value: unknown): string[] {
  const { txid, blockHash, status } = readReceipt(value)
  if (status === 'reverted') return []
  const ordinals = new Map<string, number>()
  return (readList((value as { logs: unknown }).logs) as RawLog[]).flatMap(({ address, topics, data }) => {
    if (topics[0]?.toLowerCase() !== TRANSFER || topics.length !== 3) return []
    const token = address.toLowerCase()
    const ordinal = ordinals.get(token) ?? 0
    ordinals.set(token, ordinal + 1)
    // Anybody's contract may write what looks like a transfer, beside one to us.
    if (!WORD.test(data)) return []
    const to = `0x${topics[2]!.slice(26)}`.toLowerCase()
    return [transferKey({ txid, blockHash, token, ordinal, to, amount: BigInt(data) })]
  })
}

/** The name of what a plain transaction carries, given its receipt. */
export function keysInTransaction(value: unknown, receipt: unknown): string[] {
  const { txid, blockHash, status } = readReceipt(receipt)
  const { to, value: amount } = value as { to: unknown; value: unknown }
  if (status === 'reverted' || typeof to !== 'string') return []
  return [transferKey({ txid, blockHash, token: null, ordinal: 0, to: to.toLowerCase(), amount: readBigInt(amount) })]
}
