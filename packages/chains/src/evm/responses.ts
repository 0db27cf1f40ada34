import type { BlockRef, LoggedTransfer, Receipt } from '../chain.ts'
import { ObjectMissing } from '../nodes/nodes.ts'
import {
  decodeHeader,
  decodeReportedHeader,
  decodeUnrootedReceipt,
  HashedReceipt,
  type Header,
  type UnrootedReceipt,
} from './decoding.ts'
import {
  encodeFields,
  encodeHeader,
  encodeReceipt,
  headerFields,
  isNullish,
  type JsonObject,
  readObject,
} from './encoding.ts'
import { REPORTED_HEADER_FIELDS, UNROOTED_RECEIPT_FIELDS } from './fields.ts'

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
const HEX = /^0x[0-9a-f]{1,64}$/i

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

/** Reads a quantity of up to 32 bytes. Throws Error. */
export function readBigInt(value: unknown): bigint {
  if (typeof value !== 'string' || !HEX.test(value)) throw new Error('invalid quantity in response')
  return BigInt(value)
}

/** Reads the header of a block. */
export type ReadHeader = (value: unknown) => Header

/**
 * Reads a header from the bytes that give its hash. Throws Missing for null, Error for one that does not hash to its
 * hash.
 */
export const readVerifiedHeader: ReadHeader = value => {
  const block = readBlock(value)
  const own = readHash(block.hash)
  const { bytes, hash } = encodeHeader(block)
  // guard: header-hash
  if (hash !== own) throw new Error('header does not hash to its hash: see "roots" in the chains file')
  return decodeHeader(bytes, hash, headerFields(block))
}

/** Reads a header of which most nodes must report the same. Throws Missing for null, Error for a malformed one. */
export const readReportedHeader: ReadHeader = value =>
  decodeReportedHeader(encodeFields(REPORTED_HEADER_FIELDS, readBlock(value)))

function readBlock(value: unknown): JsonObject {
  if (value === null) throw new ObjectMissing('no such block')
  return readObject(value)
}

/** Strips a header to its BlockRef. */
export function toBlockRef(header: BlockRef): BlockRef {
  return { number: header.number, hash: header.hash, parentHash: header.parentHash, time: header.time }
}

/** Reads a receipt. Throws Missing for null and for a pending transaction, Error for a malformed receipt. */
export function readReceipt(value: unknown): Receipt {
  if (value === null) throw new ObjectMissing('no such receipt')
  const receipt = readObject(value)
  if (receipt.blockHash === null) throw new ObjectMissing('no such receipt')
  if (isNullish(receipt.status)) throw new Error('receipt without status')
  return joinReceipt(
    new HashedReceipt(encodeReceipt(receipt)),
    decodeUnrootedReceipt(encodeFields(UNROOTED_RECEIPT_FIELDS, receipt)),
  )
}

/**
 * Joins what the bytes of a receipt say and what stands beside them. Its fee is that of its gas; see `withSurcharge`.
 */
export function joinReceipt(receipt: HashedReceipt, beside: UnrootedReceipt): Receipt {
  return {
    ...beside,
    status: receipt.succeeded ? 'success' : 'reverted',
    fee: beside.gasUsed * beside.gasPrice,
    transfers: receipt
      .transfers()
      .transfers.map(({ token, from, to, amount }): LoggedTransfer => ({ token, from, to, amount })),
  }
}

/** Reads a list. Throws Error. */
export function readList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error('response is not a list')
  return value
}

/** Reads a value of 32 bytes that a contract returned. */
export function readWord(result: unknown): bigint {
  return BigInt(readHash(result))
}
