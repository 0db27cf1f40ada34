import { hash } from 'node:crypto'
import type { BlockRef } from '../chain.ts'
import { assertBlockTime } from '../evm/decoding.ts'
import { type ReadHeader, readReportedHeader } from '../evm/responses.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { runAtOnce, runPaced, WorkPacer } from '../nodes/pace.ts'
import { BLOCK_HEAD_SHAPE, BLOCK_LIST_SHAPE, BLOCK_SHAPE, TRON_HEADER_FIELDS } from './fields.ts'
import {
  decodeMessage,
  encodeBytesField,
  encodeMessage,
  type ProtobufField,
  readBytesField,
  readNumberField,
} from './protobuf.ts'
import { isEmptyAnswer, type ReadFields, readByShape, readByShapeInSteps } from './reading.ts'

/** A plain transfer of TRX, as the signed bytes of its transaction say. `amount` is in sun. */
export type TronTransfer = { index: number; from: string; to: string; amount: bigint }

/** A transaction in a block: its id, what it transfers if that is TRX, and its result. */
export type TronTransaction = { txid: string; transfer: TronTransfer | null; result: string }

/** A block by the bytes that its id and its root are hashes of. `time` is in Unix seconds. */
export type TronBlock = BlockRef & {
  transactions: TronTransaction[]
  /** Whether all of it is covered by its id. If not, all that is used of it stands in `digest`, to be compared. */
  isProven: boolean
  digest: string
}

type ReadBlock = ReadFields & { transactions?: ReadTransaction[] }
type ReadTransaction = { txID: Buffer; raw_data_hex: Buffer; signature?: Buffer[]; ret?: unknown }

/** The number of `protocol.TransferContract`: the amounts of other types are of other tokens. */
const TRANSFER = 1n
/** First byte of an address. */
const PREFIX = 0x41
const addressBytes = 21

/** Results of contracts by their numbers (`protocol.Transaction.Result.contractResult`). */
const RESULTS = [
  'DEFAULT',
  'SUCCESS',
  'REVERT',
  'BAD_JUMP_DESTINATION',
  'OUT_OF_MEMORY',
  'PRECOMPILED_CONTRACT',
  'STACK_TOO_SMALL',
  'STACK_TOO_LARGE',
  'ILLEGAL_OPERATION',
  'STACK_OVERFLOW',
  'OUT_OF_ENERGY',
  'OUT_OF_TIME',
  'JVM_STACK_OVER_FLOW',
  'UNKNOWN',
  'TRANSFER_FAILED',
  'INVALID_CODE',
]

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** The id of a block with this header, as it was read: its height, then the end of the header's hash. */
export function blockIdOf(raw: Readonly<Record<string, number | Buffer>>): Buffer {
  const id = sha256(
    encodeMessage(TRON_HEADER_FIELDS.map(({ name, number }): ProtobufField => [number!, raw[name] ?? 0])),
  )
  id.writeBigUInt64BE(BigInt((raw.number as number | undefined) ?? 0))
  return id
}

/** The root of transactions as java-tron computes it: pairs are hashed, and what is left over goes up as it is. */
export const computeTronRoot = (leaves: readonly Uint8Array[]): Uint8Array => runAtOnce(rootSteps(leaves))

function* rootSteps(leaves: readonly Uint8Array[]): Generator<number, Uint8Array> {
  if (leaves.length === 0) return new Uint8Array(32)
  let level = leaves
  while (level.length > 1) {
    const above: Uint8Array[] = []
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i]!
      const right = level[i + 1]
      above.push(right ? sha256(Buffer.concat([left, right])) : left)
      yield 64
    }
    level = above
  }
  return level[0]!
}

/** What a transaction stands for in the root: the hash of its signed bytes, signatures and results. */
export function computeTronLeaf(
  raw: Uint8Array,
  signatures: readonly Uint8Array[],
  results: readonly string[],
): Uint8Array {
  const codes = results.map(result => encodeMessage([[3, RESULTS.indexOf(result)]]))
  return sha256(
    Buffer.concat([
      encodeBytesField(1, raw),
      ...signatures.map(each => encodeBytesField(2, each)),
      ...codes.map(each => encodeBytesField(5, each)),
    ]),
  )
}

/** Reads a block, or null for `{}`, which means not found. Throws Error for a malformed one. */
export const readTronBlock = (value: unknown): TronBlock | null => runAtOnce(oneOf(value))

/** Reads the blocks of a range; `{}` means that there are none. Throws Error for malformed ones. */
export const readTronBlocks = (value: unknown): TronBlock[] => runAtOnce(allOf(value))

/** The same with pauses, for what a node sent. */
export const readTronBlockPaced = (value: unknown): Promise<TronBlock | null> => runPaced(oneOf(value), new WorkPacer())
export const readTronBlocksPaced = (value: unknown): Promise<TronBlock[]> => runPaced(allOf(value), new WorkPacer())

function* oneOf(value: unknown): Generator<number, TronBlock | null> {
  return isEmptyAnswer(value) ? null : yield* blockOf((yield* readByShapeInSteps(BLOCK_SHAPE, value)) as ReadBlock)
}

function* allOf(value: unknown): Generator<number, TronBlock[]> {
  const { block = [] } = (yield* readByShapeInSteps(BLOCK_LIST_SHAPE, value)) as { block?: ReadBlock[] }
  const blocks: TronBlock[] = []
  for (const each of block) blocks.push(yield* blockOf(each))
  return blocks
}

function* blockOf(block: ReadBlock): Generator<number, TronBlock> {
  const { ref, root, isCovered } = headerOf(block)
  const { transactions = [] } = block
  const leaves: Uint8Array[] = []
  const found: TronTransaction[] = []
  for (const [index, { txID, raw_data_hex: raw, signature = [], ret = [] }] of transactions.entries()) {
    const id = sha256(raw)
    if (!id.equals(txID)) throw new Error('the id of a transaction is not the hash of its bytes')
    const results = resultsOf(ret)
    if (results) leaves.push(computeTronLeaf(raw, signature, results))
    found.push({ txid: toHex(id), transfer: transferOf(raw, index), result: results?.[0] ?? resultOf(ret) })
    yield raw.length
  }
  // guard: tron-root
  const isRoot = leaves.length === found.length && Buffer.compare(yield* rootSteps(leaves), root) === 0
  const rest = found.map(({ txid, result }) => `${txid} ${result}`).join()
  const digest = toHex(sha256(Buffer.from(`${Object.values(ref).join(' ')} ${rest}`)))
  return { ...ref, transactions: found, isProven: isCovered && isRoot, digest }
}

/** Reads the header of a block. Throws Error for one that does not hash to its id. */
export function readTronHeader(value: unknown): BlockRef {
  const { ref, isCovered } = headerOf(readByShape(BLOCK_HEAD_SHAPE, value) as ReadFields)
  if (!isCovered) throw new Error('header does not hash to its id')
  return ref
}

/**
 * Reads a header as JSON-RPC reports it: its hash begins with its height, and that of its parent with the height
 * before. Throws as `readReportedHeader`.
 */
export const readReportedTronHeader: ReadHeader = value => {
  const header = readReportedHeader(value)
  const heightOf = (id: string) => parseHexBytes(id).readBigUInt64BE()
  const follows = header.number === 0 || heightOf(header.parentHash) === BigInt(header.number - 1)
  if (heightOf(header.hash) !== BigInt(header.number) || !follows)
    throw new Error('the id of a block does not begin with its height')
  return header
}

/**
 * A header, the root that it has, and whether it hashes to its id. Throws Error if its number is not that of its id.
 */
function headerOf({ blockID, block_header }: ReadFields) {
  const id = blockID as Buffer
  const { raw_data: raw } = block_header as { raw_data: Record<string, number | Buffer> }
  const number = (raw.number as number | undefined) ?? 0
  if (id.readBigUInt64BE() !== BigInt(number)) throw new Error('the id of a block does not begin with its height')
  const ref: BlockRef = {
    number,
    hash: toHex(id),
    parentHash: toHex(raw.parentHash as Buffer),
    time: assertBlockTime(Math.floor((raw.timestamp as number) / 1_000)),
  }
  return { ref, root: raw.txTrieRoot as Buffer, isCovered: blockIdOf(raw).equals(id) }
}

/**
 * The results of a transaction by name; null if they hold what is not known: a payer may add anything, and the API
 * shows only a part.
 */
function resultsOf(ret: unknown): string[] | null {
  if (!Array.isArray(ret)) return null
  const names = ret.map((each: unknown) => {
    const entries = Object.entries(each ?? { none: 0 })
    if (entries.length === 0) return 'DEFAULT'
    const [[key, name]] = entries as [[string, unknown]]
    return entries.length === 1 && key === 'contractRet' && typeof name === 'string' && RESULTS.includes(name)
      ? name
      : null
  })
  return names.every(name => name !== null) ? names : null
}

/** The result of a transaction whose results hold more than is known. */
function resultOf(ret: unknown): string {
  const [first] = Array.isArray(ret) ? ret : []
  const name: unknown = (first as { contractRet?: unknown } | null | undefined)?.contractRet
  return typeof name === 'string' && RESULTS.includes(name) ? name : 'DEFAULT'
}

/** What a transaction transfers if that is TRX, whatever else a node says of it; null for all others. */
function transferOf(raw: Uint8Array, index: number): TronTransfer | null {
  try {
    const contract = decodeMessage(readBytesField(decodeMessage(raw), 11))
    if (readNumberField(contract, 1) !== TRANSFER) return null
    const value = decodeMessage(readBytesField(decodeMessage(readBytesField(contract, 2)), 2))
    const from = addressOf(readBytesField(value, 1))
    const to = addressOf(readBytesField(value, 2))
    return from && to ? { index, from, to, amount: readNumberField(value, 3) } : null
  } catch {
    // Bytes that are no such message: the chain would not have executed them as a transfer.
    return null
  }
}

const addressOf = (bytes: Uint8Array) =>
  bytes.length === addressBytes && bytes[0] === PREFIX ? toHex(bytes.subarray(1)) : null
