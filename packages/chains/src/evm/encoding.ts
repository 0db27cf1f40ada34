import { toHex } from '../hex.ts'
import {
  APPENDED,
  BESIDE_HEADER,
  type Field,
  HEADER,
  HEADER_OF_AVALANCHE,
  RECEIPT,
  RECEIPT_BY_ROOT,
  RECEIPT_OF_DEPOSIT,
  type Shape,
  TRANSACTIONS,
} from './fields.ts'
import { keccak } from './keccak.ts'
import { encoded, writeList, writeNumber, writeQuantity, writeText } from './rlp.ts'

/** An object of Ethereum's JSON-RPC. */
export type Json = Record<string, unknown>

/** Type of the deposits of OP chains. */
export const DEPOSIT = 0x7e
/** Type of the transaction with which Arbitrum starts a block. */
export const INTERNAL = 0x6a
/** Fields of a header that this version does not know: one fork adds fewer. */
const mostUnknown = 8

export const isNone = (value: unknown) => value === null || value === undefined

/** Reads an object. Throws Error. */
export function readObject(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('response is not an object')
  return value as Json
}

/**
 * Writes a value of JSON by its shape before `end`. Returns where it starts; 0 or less if there is too little space.
 * Throws Error.
 */
function write(shape: Shape, value: unknown, end: number): number {
  switch (shape.is) {
    case 'quantity':
      return writeQuantity(textOf(value, 1, shape.most * 2), end)
    case 'bytes':
      return writeText(textOf(value, shape.bytes * 2, shape.bytes * 2), end)
    case 'data':
      return writeText(textOf(value, 0, shape.most * 2), end)
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

function writeItems({ of, most }: Extract<Shape, { is: 'list' }>, value: unknown, end: number): number {
  if (!Array.isArray(value)) throw new Error('response has no list where one belongs')
  if (value.length > most) throw new Error('too long a list in response')
  let at = end
  for (let i = value.length - 1; i >= 0; i--) {
    at = write(of, value[i], at)
    if (at <= 9) return 0
  }
  return writeList(at, end)
}

function writeFields(fields: readonly Field[], json: Json, end: number): number {
  let at = end
  for (let i = fields.length - 1; i >= 0; i--) {
    const { name, or, shape, optional } = fields[i]!
    let value = json[name]
    if (or && isNone(value)) value = json[or]
    if (!optional || !isNone(value)) at = write(shape, value, at)
    else at = shape.is === 'list' ? writeList(at, at) : writeNumber(0, at)
    if (at <= 9) return 0
  }
  return writeList(at, end)
}

/**
 * Encodes an object by its declared fields, after the byte of a type if there is one. Throws Error for a value that has
 * not their shape.
 */
export const encodeFields = (fields: readonly Field[], json: Json, type = 0): Uint8Array =>
  encoded(end => writeFields(fields, json, end), type)

/** Reads the type of a transaction or receipt; none is that of the first transactions. Throws Error. */
export function typeOf({ type }: Json): number {
  if (isNone(type)) return 0
  if (typeof type !== 'string' || !/^0x[0-9a-f]{1,2}$/i.test(type)) throw new Error('invalid type in response')
  return Number(type)
}

/**
 * Returns the encoding of a header as JSON-RPC represents it, and its hash. Up to two fields that this version does not
 * know are tried as the fields that a fork appended, as bytes and as quantities: if the header then hashes to its hash,
 * they are. Throws Error.
 */
export function encodeHeader(header: Json): { bytes: Uint8Array; hash: string } {
  const own = typeof header.hash === 'string' ? header.hash.toLowerCase() : ''
  const known = headerFields(header).filter(({ name, optional }) => !optional || !isNone(header[name]))
  const encode = (fields: readonly Field[]) => {
    const bytes = encodeFields(fields, header)
    return { bytes, hash: hashOf(bytes) }
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
export const headerFields = (header: Json): readonly Field[] =>
  isNone(header.extDataHash) ? HEADER : HEADER_OF_AVALANCHE

/** Returns the hash of a header as JSON-RPC represents it. Throws Error. */
export const headerHash = (header: Json): string => encodeHeader(header).hash

/** The fields that a fork may have appended to a header: one, or two in either order. */
function* appendedOf(header: Json): Generator<Field[]> {
  const unknown = unknownFields(header)
  if (unknown.length > mostUnknown) return
  const possible = unknown.flatMap(name =>
    APPENDED.filter(shape => isWritable(shape, header[name])).map(
      (shape): Field => ({ name, shape, cover: 'block hash' }),
    ),
  )
  for (const first of possible) {
    yield [first]
    for (const second of possible) if (second.name !== first.name) yield [first, second]
  }
}

function isWritable(shape: Shape, value: unknown): boolean {
  try {
    encoded(end => write(shape, value, end))
    return true
  } catch {
    return false
  }
}

/** Names of fields of a header that this version does not know. */
export const unknownFields = (header: Json): string[] =>
  Object.keys(header).filter(
    name => !BESIDE_HEADER.has(name) && !headerFields(header).some(field => field.name === name),
  )

/** Whether this version can encode a transaction. Throws Error. */
export const isKnownType = (tx: Json): boolean => TRANSACTIONS[typeOf(tx)] !== undefined

/**
 * Returns the signed bytes of a transaction as JSON-RPC represents it, whose hash is its id. Throws Error, also for an
 * unknown type.
 */
export function encodeTransaction(tx: Json): Uint8Array {
  const type = typeOf(tx)
  const fields = TRANSACTIONS[type]
  if (!fields) throw new Error(`transaction of unknown type ${type}`)
  return encodeFields(fields, tx, type)
}

/** Returns the encoding of a receipt that goes into the receipts root. Throws Error. */
export function encodeReceipt(receipt: Json): Uint8Array {
  const type = typeOf(receipt)
  if (!isNone(receipt.status)) {
    // Since Canyon, the root also covers the nonce of a deposit; before, nodes only report it.
    const isWhole = type === DEPOSIT && !isNone(receipt.depositReceiptVersion)
    return encodeFields(isWhole ? RECEIPT_OF_DEPOSIT : RECEIPT, receipt, type)
  }
  if (typeof receipt.root !== 'string' || receipt.root.length !== 66) throw new Error('receipt without status')
  return encodeFields(RECEIPT_BY_ROOT, receipt, type)
}

/** Returns the keccak-256 of bytes as hex with 0x. */
export const hashOf = (bytes: Uint8Array): string => toHex(keccak(bytes))
