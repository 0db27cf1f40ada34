import type { BlockRef, LoggedTransfer, Receipt } from '../chain.ts'
import { Missing } from '../nodes/nodes.ts'

/** A block as returned by eth_getBlockByNumber and eth_getBlockByHash. */
export type Header = BlockRef & {
  bloom: string
  baseFee: bigint
  stateRoot: unknown
  transactionsRoot: unknown
  receiptsRoot: unknown
  /** Transaction hashes, or full transaction objects if requested. */
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
  /** Position in the transaction's receipt, where the log was converted from a receipt. */
  position?: number
}

const HASH = /^0x[0-9a-f]{64}$/
const HEX = /^0x[0-9a-f]+$/i
const BLOOM_LENGTH = 514

/** Reads a 32-byte hash; returns it in lower case. Throws Error. */
export function readHash(value: unknown): string {
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (!HASH.test(text)) throw new Error('invalid hash in response')
  return text
}

/** Reads a quantity that a number can represent exactly. Throws Error. */
export function readNumber(value: unknown): number {
  const number = typeof value === 'string' && HEX.test(value) ? Number.parseInt(value, 16) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new Error('invalid number in response')
  return number
}

/** Reads a quantity of any size. Throws Error. */
export function readBigInt(value: unknown): bigint {
  if (typeof value !== 'string' || !HEX.test(value)) throw new Error('invalid quantity in response')
  return BigInt(value)
}

/** Reads a block. Throws Missing for null, Error for a malformed block. */
export function readHeader(value: unknown): Header {
  if (value === null) throw new Missing('no such block')
  const block = value as Record<string, unknown>
  const { logsBloom, transactions, baseFeePerGas, stateRoot, transactionsRoot, receiptsRoot } = block
  if (!Array.isArray(transactions)) throw new Error('block without a list of transactions')
  return {
    number: readNumber(block.number),
    hash: readHash(block.hash),
    parentHash: readHash(block.parentHash),
    time: readTime(block.timestamp),
    bloom: typeof logsBloom === 'string' && logsBloom.length === BLOOM_LENGTH ? logsBloom.toLowerCase() : '',
    baseFee: baseFeePerGas === undefined || baseFeePerGas === null ? 0n : readBigInt(baseFeePerGas),
    stateRoot,
    transactionsRoot,
    receiptsRoot,
    transactions,
  }
}

/** Strips a header to its BlockRef. */
export function refOf(header: BlockRef): BlockRef {
  return { number: header.number, hash: header.hash, parentHash: header.parentHash, time: header.time }
}

/** Reads a receipt. Throws Missing for null and for a pending transaction, Error for a malformed receipt. */
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
    // Rollups of the OP Stack charge for their data on layer 1 beside the gas.
    fee: gasUsed * gasPrice + readBigInt(receipt.l1Fee ?? '0x0'),
    transfers: readList(receipt.logs).flatMap(log => readTransfer(log as RawLog)),
  }
}

/** Topic of ERC-20's Transfer event: keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Length of a 32-byte word in hex with 0x. */
export const WORD = 66

/** Reads the token transfer that a log reports; none for logs of other events. */
function readTransfer({ address, topics, data }: RawLog): LoggedTransfer[] {
  const [event, from, to] = topics
  if (event !== TRANSFER || topics.length !== 3 || data.length !== WORD) return []
  const addressOf = (topic: string) => `0x${topic.slice(26)}`.toLowerCase()
  return [{ token: address.toLowerCase(), from: addressOf(from!), to: addressOf(to!), amount: BigInt(data) }]
}

/** Reads a time as Unix seconds. TRON nodes returned milliseconds until 2022, recognizable by their size. */
function readTime(value: unknown): number {
  const time = readNumber(value)
  return time > 100_000_000_000 ? Math.floor(time / 1000) : time
}

/** Reads a list. Throws Error. */
export function readList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('response is not a list')
  return value
}

/** Reads a value of 32 bytes that a contract returned. */
export function readWord(result: unknown): bigint {
  if (typeof result !== 'string' || result.length !== 66) throw new Error('invalid balance in response')
  return BigInt(result)
}
