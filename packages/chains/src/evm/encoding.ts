import { toHex } from '../hex.ts'
import {
  APPENDED_FIELD_SHAPES,
  AVALANCHE_HEADER_FIELDS,
  DEPOSIT_RECEIPT_FIELDS,
  type EvmField,
  type FieldShape,
  HEADER_FIELDS,
  RECEIPT_FIELDS,
  STATE_ROOT_RECEIPT_FIELDS,
  TRANSACTION_FIELDS,
  UNHASHED_HEADER_FIELDS,
} from './fields.ts'
import { keccak } from './keccak.ts'
import { encodeFromEnd, writeHexBytes, writeList, writeNumber, writeQuantity } from './rlp.ts'

/** An object of Ethereum's JSON-RPC. */
export type JsonObject = Record<string, unknown>

/** Type of the deposits of OP chains. */
export const OP_DEPOSIT_TYPE = 0x7e
/** Type of the transaction with which Arbitrum starts a block. */
export const ARBITRUM_INTERNAL_TYPE = 0x6a
/** Fields of a header that this version does not know: one fork adds fewer. */
const mostUnknown = 8

export const isNullish = (value: unknown) => value === null || value === undefined

/** Reads an object. Throws Error. */
export function readObject(value: unknown): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('response is not an object')
  return value as JsonObject
}

/**
 * Writes a value of JSON by its shape before `end`. Returns where it starts; 0 or less if there is too little space.
 * Throws Error.
 */
function write(shape: FieldShape, value: unknown, end: number): number {
  switch (shape.is) {
    case 'quantity':
      return writeQuantity(textOf(value, 1, shape.most * 2), end)
    case 'bytes':
      return writeHexBytes(textOf(value, shape.bytes * 2, shape.bytes * 2), end)
    case 'data':
      return writeHexBytes(textOf(value, 0, shape.most * 2), end)
    case 'flag':
      if (typeof value !== 'boolean') throw new Error('invalid flag in response')
      return writeNumber(value ? 1 : 0, end)
    case 'list':
      return writeItems(shape, value, end)
    case 'object':
      return writeFields(shape.fields, readObject(value), end)
    case 'typed':
      throw new Error('not encoded as a part')
  }
}

/** Reads a text of 0x and as many digits. Throws Error. */
function textOf(value: unknown, least: number, most: number): string {
  if (typeof value !== 'string' || !value.startsWith('0x')) throw new Error('invalid hex in response')
  if (value.length < least + 2 || value.length > most + 2) throw new Error('hex of a wrong length in response')
  return value
}

function writeItems({ of, most }: Extract<FieldShape, { is: 'list' }>, value: unknown, end: number): number {
  if (!Array.isArray(value)) throw new Error('response has no list where one belongs')
  if (value.length > most) throw new Error('too long a list in response')
  let at = end
  for (let i = value.length - 1; i >= 0; i--) {
    at = write(of, value[i], at)
    if (at <= 9) return 0
  }
  return writeList(at, end)
}

function writeFields(fields: readonly EvmField[], json: JsonObject, end: number): number {
  let at = end
  for (let i = fields.length - 1; i >= 0; i--) {
    const { name, or, shape, optional } = fields[i]!
    let value = json[name]
    if (or && isNullish(value)) value = json[or]
    if (!optional || !isNullish(value)) at = write(shape, value, at)
    else at = shape.is === 'list' ? writeList(at, at) : writeNumber(0, at)
    if (at <= 9) return 0
  }
  return writeList(at, end)
}

/**
 * Encodes an object by its declared fields, after the byte of a type if there is one. Throws Error for a value that has
 * not their shape.
 */
export const encodeFields = (fields: readonly EvmField[], json: JsonObject, type = 0): Uint8Array =>
  encodeFromEnd(end => writeFields(fields, json, end), type)

/** Reads the type of a transaction or receipt; none is that of the first transactions. Throws Error. */
export function readTransactionType({ type }: JsonObject): number {
  if (isNullish(type)) return 0
  if (typeof type !== 'string' || !/^0x[0-9a-f]{1,2}$/i.test(type)) throw new Error('invalid type in response')
  return Number(type)
}

/**
 * Returns the encoding of a header as JSON-RPC represents it, and its hash. Up to two fields that this version does not
 * know are tried as the fields that a fork appended, as bytes and as quantities: if the header then hashes to its hash,
 * they are. Throws Error.
 */
export function encodeHeader(header: JsonObject): { bytes: Uint8Array; hash: string } {
  const own = typeof header.hash === 'string' ? header.hash.toLowerCase() : ''
  const known = headerFields(header).filter(({ name, optional }) => !optional || !isNullish(header[name]))
  const encode = (fields: readonly EvmField[]) => {
    const bytes = encodeFields(fields, header)
    return { bytes, hash: computeKeccakHex(bytes) }
  }
  const usual = encode(known)
  if (usual.hash === own) return usual
  for (const appended of appendedOf(header)) {
    const other = encode([...known, ...appended])
    if (other.hash === own) return other
  }
  return usual
}

/** The fields that the headers of a chain have. */
export const headerFields = (header: JsonObject): readonly EvmField[] =>
  isNullish(header.extDataHash) ? HEADER_FIELDS : AVALANCHE_HEADER_FIELDS

/** Returns the hash of a header as JSON-RPC represents it. Throws Error. */
export const headerHash = (header: JsonObject): string => encodeHeader(header).hash

/** The fields that a fork may have appended to a header: one, or two in either order. */
function* appendedOf(header: JsonObject): Generator<EvmField[]> {
  const unknown = unknownFields(header)
  if (unknown.length > mostUnknown) return
  const possible = unknown.flatMap(name =>
    APPENDED_FIELD_SHAPES.filter(shape => isWritable(shape, header[name])).map(
      (shape): EvmField => ({ name, shape, cover: 'block hash' }),
    ),
  )
  for (const first of possible) {
    yield [first]
    for (const second of possible) if (second.name !== first.name) yield [first, second]
  }
}

function isWritable(shape: FieldShape, value: unknown): boolean {
  try {
    encodeFromEnd(end => write(shape, value, end))
    return true
  } catch {
    return false
  }
}

/** Names of fields of a header that this version does not know. */
export const unknownFields = (header: JsonObject): string[] =>
  Object.keys(header).filter(
    name => !UNHASHED_HEADER_FIELDS.has(name) && !headerFields(header).some(field => field.name === name),
  )

/** Whether this version can encode a transaction. Throws Error. */
export const isKnownType = (tx: JsonObject): boolean => TRANSACTION_FIELDS[readTransactionType(tx)] !== undefined

/**
 * Returns the signed bytes of a transaction as JSON-RPC represents it, whose hash is its id. Throws Error, also for an
 * unknown type.
 */
export function encodeTransaction(tx: JsonObject): Uint8Array {
  const type = readTransactionType(tx)
  const fields = TRANSACTION_FIELDS[type]
  if (!fields) throw new Error(`transaction of unknown type ${type}`)
  return encodeFields(fields, tx, type)
}

/** Returns the encoding of a receipt that goes into the receipts root. Throws Error. */
export function encodeReceipt(receipt: JsonObject): Uint8Array {
  const type = readTransactionType(receipt)
  if (!isNullish(receipt.status)) {
    // Since Canyon, the root also covers the nonce of a deposit; before, nodes only report it.
    const isWhole = type === OP_DEPOSIT_TYPE && !isNullish(receipt.depositReceiptVersion)
    return encodeFields(isWhole ? DEPOSIT_RECEIPT_FIELDS : RECEIPT_FIELDS, receipt, type)
  }
  if (typeof receipt.root !== 'string' || receipt.root.length !== 66) throw new Error('receipt without status')
  return encodeFields(STATE_ROOT_RECEIPT_FIELDS, receipt, type)
}

/** Returns the keccak-256 of bytes as hex with 0x. */
export const computeKeccakHex = (bytes: Uint8Array): string => toHex(keccak(bytes))
