import type { BlockRef, Receipt } from '../chain.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { ARBITRUM_INTERNAL_TYPE, computeKeccakHex } from './encoding.ts'
import {
  type EvmField,
  HEADER_FIELDS,
  RECEIPT_FIELDS,
  REPORTED_HEADER_FIELDS,
  REPORTED_TRANSACTION_FIELDS,
  TRANSACTION_FIELDS,
  UNROOTED_RECEIPT_FIELDS,
} from './fields.ts'
import { RlpList } from './rlp.ts'

/** A block's header as far as it is used. */
export type Header = BlockRef & {
  /** Null where a node reports none. */
  bloom: Uint8Array | null
  baseFee: bigint
  stateRoot: Uint8Array
  transactionsRoot: Uint8Array
  receiptsRoot: Uint8Array
}

/** Places of fields in their encoding. */
const placesOf = (fields: readonly EvmField[]): Record<string, number> =>
  Object.fromEntries(fields.map(({ name }, place) => [name, place]))

const inHeader = placesOf(HEADER_FIELDS)
const inReceipt = placesOf(RECEIPT_FIELDS)
const inReportedHeader = placesOf(REPORTED_HEADER_FIELDS)
const inReported = placesOf(REPORTED_TRANSACTION_FIELDS)
const inBeside = placesOf(UNROOTED_RECEIPT_FIELDS)
const inTransaction = Object.fromEntries(
  Object.entries(TRANSACTION_FIELDS).map(([type, fields]) => [type, placesOf(fields)]),
)

/** Reads bytes as a whole number. */
export const decodeBigInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(toHex(bytes)))

/** Reads bytes as a number that is exact. Throws Error. */
export function decodeNumber(bytes: Uint8Array): number {
  let number = 0
  for (const byte of bytes) number = number * 256 + byte
  if (!Number.isSafeInteger(number)) throw new Error('too large a number in response')
  return number
}

/** The contents of the fields of an encoded list. */
function contentsOf(bytes: Uint8Array): Uint8Array[] {
  const contents: Uint8Array[] = []
  for (const list = new RlpList(bytes); list.next(); ) contents.push(list.content)
  return contents
}

/** Reads a header from the bytes that gave its hash, encoded by these fields. Throws Error. */
export function decodeHeader(bytes: Uint8Array, hash: string, fields: readonly EvmField[] = HEADER_FIELDS): Header {
  const contents = contentsOf(bytes)
  const at = (name: string) => contents[inHeader[name]!]!
  // The places of the others are the same for all chains.
  const baseFee = contents[fields === HEADER_FIELDS ? inHeader.baseFeePerGas! : placesOf(fields).baseFeePerGas!]
  return {
    number: decodeNumber(at('number')),
    hash,
    parentHash: toHex(at('parentHash')),
    time: assertBlockTime(decodeNumber(at('timestamp'))),
    bloom: at('logsBloom'),
    baseFee: baseFee ? decodeBigInt(baseFee) : 0n,
    stateRoot: at('stateRoot'),
    transactionsRoot: at('transactionsRoot'),
    receiptsRoot: at('receiptsRoot'),
  }
}

/**
 * Reads a header from its fields, encoded as those are declared of which most nodes must report the same. Throws Error.
 */
export function decodeReportedHeader(bytes: Uint8Array): Header {
  const contents = contentsOf(bytes)
  const at = (name: string) => contents[inReportedHeader[name]!]!
  const time = decodeNumber(at('timestamp'))
  const bloom = at('logsBloom')
  return {
    number: decodeNumber(at('number')),
    hash: toHex(at('hash')),
    parentHash: toHex(at('parentHash')),
    // TRON nodes returned milliseconds until 2022, recognizable by their size.
    time: assertBlockTime(time > 100_000_000_000 ? Math.floor(time / 1000) : time),
    bloom: bloom.length > 0 ? bloom : null,
    baseFee: decodeBigInt(at('baseFeePerGas')),
    stateRoot: nothing,
    transactionsRoot: nothing,
    receiptsRoot: nothing,
  }
}

/** What a node reports beside what the receipts root covers. */
export type UnrootedReceipt = Pick<Receipt, 'txid' | 'blockNumber' | 'blockHash' | 'gasUsed' | 'gasPrice'>

/** Reads what stands beside a receipt from its fields, encoded as they are declared. Throws Error. */
export function decodeUnrootedReceipt(bytes: Uint8Array): UnrootedReceipt {
  const contents = contentsOf(bytes)
  const at = (name: string) => contents[inBeside[name]!]!
  return {
    txid: toHex(at('transactionHash')),
    blockNumber: decodeNumber(at('blockNumber')),
    blockHash: toHex(at('blockHash')),
    gasUsed: decodeBigInt(at('gasUsed')),
    gasPrice: decodeBigInt(at('effectiveGasPrice')),
  }
}

const nothing = new Uint8Array()

/** 1 January 2200: a later time is in another unit, or of no sense. */
const latest = 7_258_118_400

/** Returns a time in Unix seconds. Throws Error if it is of no sense. */
export function assertBlockTime(seconds: number): number {
  if (seconds > latest) throw new Error('the time of the block is out of any sense')
  return seconds
}

/** An encoded list, walked to one of its fields. */
function atField(bytes: Uint8Array, start: number, place: number): RlpList {
  const list = new RlpList(bytes, start)
  for (let i = 0; i <= place; i++) if (!list.next()) throw new Error('field is missing')
  return list
}

/** Where the list begins in the encoding of a transaction or receipt: after its type, if it has one. */
const listStart = (bytes: Uint8Array) => (bytes[0]! < 0xc0 ? 1 : 0)

/** What is used of a transaction, whatever vouches for it. */
export type BlockTransaction = {
  readonly id: string
  /** Null if it creates a contract, or if nothing vouches for what it moves. */
  readonly to: Uint8Array | null
  readonly value: bigint
  /** Who sent it, in stored form; empty if the signature is that of nobody. */
  sender: () => Promise<string>
}

/** A transaction, read from the bytes whose hash is its id. */
export class SignedTransaction implements BlockTransaction {
  readonly bytes: Uint8Array
  readonly type: number
  readonly #places: Record<string, number>

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.type = listStart(bytes) === 1 ? bytes[0]! : 0
    this.#places = inTransaction[this.type]!
  }

  get id(): string {
    return computeKeccakHex(this.bytes)
  }

  get to(): Uint8Array | null {
    // Of some that Arbitrum adds, the hash does not cover what moves.
    if (!this.#has('to') || !this.#has('value')) return null
    const to = this.#content('to')
    return to.length > 0 ? to : null
  }

  get value(): bigint {
    return this.#quantity('value')
  }

  /** What it pays for a unit of gas in a block with this base fee. */
  priceAt(baseFee: bigint): bigint {
    if (this.#has('gasPrice')) return this.#quantity('gasPrice')
    if (!this.#has('maxFeePerGas')) return 0n
    const most = this.#quantity('maxFeePerGas')
    const offered = baseFee + (this.#has('maxPriorityFeePerGas') ? this.#quantity('maxPriorityFeePerGas') : 0n)
    return most < offered ? most : offered
  }

  async sender(): Promise<string> {
    if (this.#has('from')) return toHex(this.#content('from'))
    // Loaded on first use, as for signing.
    const { recoverTransactionAddress } = await import('viem')
    const serializedTransaction = toHex(this.bytes) as `0x02${string}`
    const found = await recoverTransactionAddress({ serializedTransaction }).catch(() => '')
    return found.toLowerCase()
  }

  #has(name: string): boolean {
    return this.#places[name] !== undefined
  }

  #quantity(name: string): bigint {
    return decodeBigInt(this.#content(name))
  }

  #content(name: string): Uint8Array {
    return atField(this.bytes, listStart(this.bytes), this.#places[name]!).content
  }
}

/** A transaction as a node reports it, on a chain on which most nodes must report the same. */
export class ReportedTransaction implements BlockTransaction {
  readonly #bytes: Uint8Array

  /** @param bytes its fields, encoded as they are declared */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get id(): string {
    return toHex(this.#content('hash'))
  }

  get to(): Uint8Array | null {
    const to = this.#content('to')
    return to.length > 0 ? to : null
  }

  get value(): bigint {
    return decodeBigInt(this.#content('value'))
  }

  /** Whether it was sent by somebody, who had to offer gas; what a chain adds by itself uses none. */
  get hasGas(): boolean {
    return this.#content('gas').length > 0
  }

  sender(): Promise<string> {
    return Promise.resolve(toHex(this.#content('from')))
  }

  #content(name: string): Uint8Array {
    return atField(this.#bytes, 0, inReported[name]!).content
  }
}

/** A transaction of which only the id is known. */
export const createUnknownTransaction = (id: string): BlockTransaction => ({
  id,
  to: null,
  value: 0n,
  sender: () => Promise.resolve(''),
})

/** Whether a block is one of Arbitrum's, which start with an internal transaction and charge the base fee alone. */
export const isArbitrum = ([first]: readonly BlockTransaction[]) =>
  first instanceof SignedTransaction && first.type === ARBITRUM_INTERNAL_TYPE

/** Whether two are the same bytes. */
export const isSameBytes = (one: Uint8Array, other: Uint8Array) => one.length === other.length && isAt(one, 0, other)

/** Topic of ERC-20's Transfer event: keccak256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transfer = parseHexBytes(TRANSFER_TOPIC)
/** Encoded, a topic takes its 32 bytes and one before them. */
const topicSize = 33

/** The token transfer that a log reports. Everything is read from the bytes that were hashed. */
export class TransferLog {
  /** Position of the log in its receipt. */
  readonly at: number
  readonly #bytes: Uint8Array
  readonly #address: number
  readonly #topics: number
  readonly #data: number

  constructor(bytes: Uint8Array, at: number, { address, topics, data }: Record<'address' | 'topics' | 'data', number>) {
    this.at = at
    this.#bytes = bytes
    this.#address = address
    this.#topics = topics
    this.#data = data
  }

  /** Whether it is of this contract. */
  isOf(contract: Uint8Array): boolean {
    return isAt(this.#bytes, this.#address, contract)
  }

  /** The last 24 bits of the receiver. */
  get tail(): number {
    return tailAt(this.#bytes, this.#topics + 3 * topicSize)
  }

  get token(): string {
    return this.#hex(this.#address, this.#address + 20)
  }

  get from(): string {
    return this.#hex(this.#topics + 2 * topicSize - 20, this.#topics + 2 * topicSize)
  }

  get to(): string {
    return this.#hex(this.#topics + 3 * topicSize - 20, this.#topics + 3 * topicSize)
  }

  get amount(): bigint {
    return BigInt(this.#hex(this.#data, this.#data + 32))
  }

  #hex(start: number, end: number): string {
    return toHex(this.#bytes.subarray(start, end))
  }
}

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

const tailAt = (bytes: Uint8Array, end: number) => (bytes[end - 3]! << 16) | (bytes[end - 2]! << 8) | bytes[end - 1]!

/** The last 24 bits of an address. */
export const addressTail = (address: Uint8Array): number => tailAt(address, address.length)

/** What a transaction did, read from the bytes that the receipts root covers. */
export class HashedReceipt {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Receipts before Byzantium have a root in place of the status, and say nothing of the outcome. */
  get succeeded(): boolean {
    const status = this.#content('status')
    return status.length === 32 || decodeNumber(status) === 1
  }

  get cumulativeGasUsed(): bigint {
    return decodeBigInt(this.#content('cumulativeGasUsed'))
  }

  /** How many logs it has, and the token transfers among them. */
  transfers(): { count: number; transfers: TransferLog[] } {
    const { bytes } = this
    const transfers: TransferLog[] = []
    let count = 0
    for (const logs = new RlpList(bytes, this.#list('logs').at); logs.next(); count++) {
      const log = new RlpList(bytes, logs.at)
      log.next()
      const address = log.start
      log.next()
      const topics = log.start
      const isTransfer = log.end - topics === 3 * topicSize && isAt(bytes, topics + 1, transfer)
      log.next()
      if (isTransfer && log.end - log.start === 32)
        transfers.push(new TransferLog(bytes, count, { address, topics, data: log.start }))
    }
    return { count, transfers }
  }

  /** The contracts and topics of its logs, of which a bloom is made. */
  *bloomed(): Generator<Uint8Array> {
    const { bytes } = this
    for (const logs = new RlpList(bytes, this.#list('logs').at); logs.next(); ) {
      const log = new RlpList(bytes, logs.at)
      log.next()
      yield log.content
      log.next()
      for (const topics = new RlpList(bytes, log.at); topics.next(); ) yield topics.content
    }
  }

  #list(name: string): RlpList {
    return atField(this.bytes, listStart(this.bytes), inReceipt[name]!)
  }

  #content(name: string): Uint8Array {
    return this.#list(name).content
  }
}
