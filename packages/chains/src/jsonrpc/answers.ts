import type { BlockRef, Receipt } from '../chain.ts'
import { Missing } from './nodes.ts'

/** What a block's answer holds beyond a BlockRef. */
export type Header = BlockRef & {
  bloom: string
  baseFee: bigint
  /** Hashes, or whole transactions when they were asked for. */
  transactions: unknown[]
}

export type RawLog = {
  address: string
  topics: string[]
  data: string
  blockNumber: string
  blockHash: string
  transactionHash: string
  logIndex: string
  removed?: boolean
}

export type RawTransaction = { hash: string; from: string; to: string | null; value: string; transactionIndex: string }

const HASH = /^0x[0-9a-f]{64}$/
const HEX = /^0x[0-9a-f]+$/i
const BLOOM_LENGTH = 514

/** A hash as text in lower case. Throws when it is not 32 bytes. */
export function readHash(value: unknown): string {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!HASH.test(text)) throw new Error('an answer without a proper hash')
  return text
}

/** A quantity that fits a number exactly. */
export function readNumber(value: unknown): number {
  const number = typeof value === 'string' && HEX.test(value) ? Number.parseInt(value, 16) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new Error('an answer without a proper number')
  return number
}

/** A quantity of any size. */
export function readBigInt(value: unknown): bigint {
  if (typeof value !== 'string' || !HEX.test(value)) throw new Error('an answer without a proper quantity')
  return BigInt(value)
}

/** A block. Throws Missing for null. */
export function readHeader(value: unknown): Header {
  if (value === null) throw new Missing('no such block')
  const block = value as Record<string, unknown>
  const { logsBloom, transactions, baseFeePerGas } = block
  if (!Array.isArray(transactions)) throw new Error('a block without transactions')
  return {
    number: readNumber(block.number),
    hash: readHash(block.hash),
    parentHash: readHash(block.parentHash),
    time: readTime(block.timestamp),
    bloom: typeof logsBloom === 'string' && logsBloom.length === BLOOM_LENGTH ? logsBloom.toLowerCase() : '',
    baseFee: baseFeePerGas === undefined || baseFeePerGas === null ? 0n : readBigInt(baseFeePerGas),
    transactions,
  }
}

/** The bare BlockRef of a header. */
export function refOf(header: BlockRef): BlockRef {
  return { number: header.number, hash: header.hash, parentHash: header.parentHash, time: header.time }
}

/** A receipt. Throws Missing for null and for a transaction that is not in a block yet. */
export function readReceipt(value: unknown): Receipt {
  const receipt = value as Record<string, unknown> | null
  if (receipt === null || receipt.blockHash === null) throw new Missing('no such receipt')
  const gasUsed = readBigInt(receipt.gasUsed)
  const gasPrice = readBigInt(receipt.effectiveGasPrice)
  return {
    txid: readHash(receipt.transactionHash),
    blockNumber: readNumber(receipt.blockNumber),
    blockHash: readHash(receipt.blockHash),
    status: readNumber(receipt.status) === 1 ? 'success' : 'reverted',
    gasUsed,
    gasPrice,
    fee: gasUsed * gasPrice,
  }
}

/** Unix seconds. Nodes of TRON gave milliseconds until 2022; as seconds those would lie thousands of years ahead. */
function readTime(value: unknown): number {
  const time = readNumber(value)
  return time > 100_000_000_000 ? Math.floor(time / 1000) : time
}

/** A list of anything. */
export function readList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('an answer that is not a list')
  return value
}
