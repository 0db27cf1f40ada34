import { keccak } from './keccak.ts'
import { encodeRlp, type Item } from './rlp.ts'

/** An object of Ethereum's JSON-RPC. */
export type Json = Record<string, unknown>

/** Fields of every header, in the order of its encoding (Yellow Paper, 4.4.3). */
const BASE = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom'],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
]
/** Fields that forks appended, in order: EIP-1559, 4895, 4844, 4788, 7685. */
const APPENDED = [
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
]
const QUANTITIES = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'blobGasUsed', 'excessBlobGas'],
])

/** What JSON-RPC returns with a header and is no part of it, on Ethereum and on chains of Arbitrum's. */
const BESIDE = new Set([
  ...['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'],
  ...['l1BlockNumber', 'sendCount', 'sendRoot'],
])

/**
 * Returns the hash of a header as JSON-RPC represents it. Up to two fields that this version does not know are tried as the fields that
 * a fork appended, as bytes and as quantities: if the header then hashes to its hash, they are.
 */
export function headerHash(header: Json): string {
  const appended = APPENDED.filter(name => header[name] !== undefined && header[name] !== null)
  const known = [...BASE, ...appended].map(name => (QUANTITIES.has(name) ? quantity : hexOf)(header[name]))
  const hash = hashOf(encodeRlp(known))
  const own = String(header.hash).toLowerCase()
  if (hash === own) return hash
  const unknown = unknownFields(header)
  // More than a fork adds: not worth the time.
  if (unknown.length > 8) return hash
  const encodings = new Map(unknown.map(name => [name, encodingsOf(header[name])]))
  const hashesToOwn = (more: Item[]) => hashOf(encodeRlp([...known, ...more])) === own
  for (const [name, firsts] of encodings)
    for (const first of firsts) {
      if (hashesToOwn([first])) return own
      for (const [other, seconds] of encodings)
        if (other !== name && seconds.some(second => hashesToOwn([first, second]))) return own
    }
  return hash
}

/** Names of fields of a header that this version does not know. */
export const unknownFields = (header: Json): string[] =>
  Object.keys(header).filter(name => !BESIDE.has(name) && !BASE.includes(name) && !APPENDED.includes(name))

/** The bytes that a value of unknown meaning may stand for. */
function encodingsOf(value: unknown): Item[] {
  if (typeof value !== 'string' || !HEX.test(value)) return []
  return value.length % 2 === 0 ? [hexOf(value), quantity(value)] : [quantity(value)]
}

/**
 * Fields of the transactions that chains add by themselves, in the order of their encoding: deposits of OP chains (type 0x7e), and
 * those of Arbitrum: deposit, unsigned, contract, retry, submit retryable, internal. Their hash covers nothing else.
 */
const ADDED: Record<number, readonly string[]> = {
  126: ['sourceHash', 'from', 'to', 'mint', 'value', 'gas', 'isSystemTx', 'input'],
  100: ['chainId', 'requestId', 'from', 'to', 'value'],
  101: ['chainId', 'from', 'nonce', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
  102: ['chainId', 'requestId', 'from', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
  104: [
    ...['chainId', 'nonce', 'from', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
    ...['ticketId', 'refundTo', 'maxRefund', 'submissionFeeRefund'],
  ],
  105: [
    ...['chainId', 'requestId', 'from', 'l1BaseFee', 'depositValue', 'maxFeePerGas', 'gas', 'retryTo', 'retryValue'],
    ...['beneficiary', 'maxSubmissionFee', 'refundTo', 'retryData'],
  ],
  106: ['chainId', 'input'],
}
const ADDED_BYTES = new Set([
  ...['sourceHash', 'from', 'to', 'input', 'requestId', 'ticketId', 'refundTo', 'retryTo', 'beneficiary', 'retryData'],
])

function encodeAdded(type: number, names: readonly string[], tx: Json): Uint8Array {
  const fields = names.map(name => {
    const value = name === 'maxFeePerGas' ? (tx.maxFeePerGas ?? tx.gasPrice) : tx[name]
    if (name === 'isSystemTx') return quantity(value ? '0x1' : '0x0')
    if (ADDED_BYTES.has(name)) return isNone(value) && /to$/i.test(name) ? '0x' : hexOf(value)
    return quantity(name === 'mint' && isNone(value) ? '0x0' : value)
  })
  return typed(type, fields)
}

const isNone = (value: unknown) => value === null || value === undefined

/** Whether this version can encode a transaction. */
export const isKnownType = (tx: Json): boolean => {
  const type = Number(tx.type ?? 0)
  return type in ADDED || [0, 1, 2, 3, 4].includes(type)
}

/** Whether a transaction's hash covers what it moves to whom: not of some that Arbitrum adds, where a node may say anything. */
export function coversTransfer(tx: Json): boolean {
  const added = ADDED[Number(tx.type ?? 0)]
  return !added || (added.includes('to') && added.includes('value'))
}

/** Whether a block is one of Arbitrum's, which start with an internal transaction and charge the base fee alone. */
export const isArbitrum = (transactions: readonly Json[]) => Number(transactions[0]?.type ?? 0) === 0x6a

/**
 * Returns the signed bytes of a transaction as JSON-RPC represents it, whose hash is its id. Throws Error for an unknown type.
 */
export function encodeTransaction(tx: Json): Uint8Array {
  const type = tx.type === undefined ? 0 : Number(tx.type)
  const added = ADDED[type]
  if (added) return encodeAdded(type, added, tx)
  if (!isKnownType(tx)) throw new Error(`transaction of unknown type ${type}`)
  const to = tx.to === null || tx.to === undefined ? '0x' : hexOf(tx.to)
  const call = [quantity(tx.gas), to, quantity(tx.value), hexOf(tx.input)]
  const signature = (v: unknown) => [quantity(v), quantity(tx.r), quantity(tx.s)]
  if (type === 0) return encodeRlp([quantity(tx.nonce), quantity(tx.gasPrice), ...call, ...signature(tx.v)])
  const fees = type === 1 ? [quantity(tx.gasPrice)] : [quantity(tx.maxPriorityFeePerGas), quantity(tx.maxFeePerGas)]
  const fields: Item[] = [quantity(tx.chainId), quantity(tx.nonce), ...fees, ...call, accessList(tx.accessList)]
  if (type === 3) fields.push(quantity(tx.maxFeePerBlobGas), list(tx.blobVersionedHashes).map(hexOf))
  if (type === 4) fields.push(list(tx.authorizationList).map(each => authorization(each as Json)))
  return typed(type, [...fields, ...signature(tx.yParity ?? tx.v)])
}

/** Returns who signed a transaction, which the roots cover; what the node reports if the signature is that of nobody. */
export async function senderOf(tx: Json): Promise<string> {
  // Loaded on first use, as for signing.
  const { recoverTransactionAddress } = await import('viem')
  const serializedTransaction = toHex(encodeTransaction(tx)) as `0x02${string}`
  const found = await recoverTransactionAddress({ serializedTransaction }).catch(() => String(tx.from))
  return found.toLowerCase()
}

/** Returns the encoding of a receipt that goes into the receipts root. */
export function encodeReceipt(receipt: Json): Uint8Array {
  const logs = list(receipt.logs).map(each => {
    const log = each as Json
    return [hexOf(log.address), list(log.topics).map(hexOf), hexOf(log.data)]
  })
  // Before Byzantium (EIP-658), receipts had the state root in place of the status.
  const outcome = receipt.status === undefined ? hexOf(receipt.root) : quantity(receipt.status)
  if (receipt.status === undefined && String(outcome).length !== 66) throw new Error('receipt without status')
  const fields: Item[] = [outcome, quantity(receipt.cumulativeGasUsed), hexOf(receipt.logsBloom), logs]
  const type = receipt.type === undefined ? 0 : Number(receipt.type)
  // Since Canyon, the root also covers the nonce of a deposit; before, nodes only report it.
  if (type === 0x7e && !isNone(receipt.depositReceiptVersion))
    fields.push(quantity(receipt.depositNonce), quantity(receipt.depositReceiptVersion))
  return typed(type, fields)
}

/** Returns the keccak-256 of bytes as hex with 0x. */
export function hashOf(bytes: Uint8Array): string {
  return toHex(keccak(bytes))
}

/** Returns bytes as hex with 0x. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

const typed = (type: number, fields: Item): Uint8Array => encodeRlp(fields, type)

const accessList = (value: unknown): Item =>
  list(value).map(each => [hexOf((each as Json).address), list((each as Json).storageKeys).map(hexOf)])

const authorization = (each: Json): Item => [
  ...[quantity(each.chainId), hexOf(each.address), quantity(each.nonce)],
  ...[quantity(each.yParity ?? each.v), quantity(each.r), quantity(each.s)],
]

function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new Error('response has no list where one belongs')
  return value
}

const HEX = /^0x[0-9a-f]*$/i

/** Reads hex of whole bytes. Throws Error. */
export function data(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value.length % 2 === 1 || !HEX.test(value))
    throw new Error('invalid bytes in response')
  return Buffer.from(value.slice(2), 'hex')
}

/** Reads hex of bytes, which is decoded when it is encoded. Throws Error. */
function hexOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('invalid bytes in response')
  return value
}

/** Reads a quantity as RLP has it: big-endian without leading zeros. Throws Error. */
function quantity(value: unknown): Item {
  if (typeof value !== 'string' || !HEX.test(value)) throw new Error('invalid quantity in response')
  // Up to 52 bits.
  if (value.length < 16) return value.length > 2 ? Number(value) : 0
  const digits = value.slice(2).replace(/^0+/, '')
  return digits.length % 2 === 1 ? `0x0${digits}` : `0x${digits}`
}
