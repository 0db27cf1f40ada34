import { type Input, RLP } from '@ethereumjs/rlp'
import { keccak } from './keccak.ts'

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

/** Returns the hash of a header as JSON-RPC represents it. A field that this version does not know gives another hash. */
export function headerHash(header: Json): string {
  const appended = APPENDED.filter(name => header[name] !== undefined && header[name] !== null)
  return hashOf(RLP.encode([...BASE, ...appended].map(name => (QUANTITIES.has(name) ? quantity : data)(header[name]))))
}

/**
 * Returns the signed bytes of a transaction as JSON-RPC represents it, whose hash is its id. Throws Error for an unknown type.
 */
export function encodeTransaction(tx: Json): Uint8Array {
  const type = tx.type === undefined ? 0 : Number(tx.type)
  if (![0, 1, 2, 3, 4].includes(type)) throw new Error(`transaction of unknown type ${type}`)
  const to = tx.to === null || tx.to === undefined ? new Uint8Array() : data(tx.to)
  const call = [quantity(tx.gas), to, quantity(tx.value), data(tx.input)]
  const signature = (v: unknown) => [quantity(v), quantity(tx.r), quantity(tx.s)]
  if (type === 0) return RLP.encode([quantity(tx.nonce), quantity(tx.gasPrice), ...call, ...signature(tx.v)])
  const fees = type === 1 ? [quantity(tx.gasPrice)] : [quantity(tx.maxPriorityFeePerGas), quantity(tx.maxFeePerGas)]
  const fields: Input[] = [quantity(tx.chainId), quantity(tx.nonce), ...fees, ...call, accessList(tx.accessList)]
  if (type === 3) fields.push(quantity(tx.maxFeePerBlobGas), list(tx.blobVersionedHashes).map(data))
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
    return [data(log.address), list(log.topics).map(data), data(log.data)]
  })
  // Before Byzantium (EIP-658), receipts had the state root in place of the status.
  const outcome = receipt.status === undefined ? data(receipt.root) : quantity(receipt.status)
  if (receipt.status === undefined && outcome.length !== 32) throw new Error('receipt without status')
  const fields = [outcome, quantity(receipt.cumulativeGasUsed), data(receipt.logsBloom), logs]
  return typed(receipt.type === undefined ? 0 : Number(receipt.type), fields)
}

/** Returns the keccak-256 of bytes as hex with 0x. */
export function hashOf(bytes: Uint8Array): string {
  return toHex(keccak(bytes))
}

/** Returns bytes as hex with 0x. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}

function typed(type: number, fields: Input): Uint8Array {
  const body = RLP.encode(fields)
  if (type === 0) return body
  const bytes = new Uint8Array(body.length + 1)
  bytes[0] = type
  bytes.set(body, 1)
  return bytes
}

const accessList = (value: unknown): Input =>
  list(value).map(each => [data((each as Json).address), list((each as Json).storageKeys).map(data)])

const authorization = (each: Json): Input => [
  ...[quantity(each.chainId), data(each.address), quantity(each.nonce)],
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

/** Reads a quantity as RLP has it: big-endian without leading zeros. Throws Error. */
function quantity(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !HEX.test(value)) throw new Error('invalid quantity in response')
  const digits = value.slice(2).replace(/^0+/, '')
  return Buffer.from(digits.length % 2 === 1 ? `0${digits}` : digits, 'hex')
}
