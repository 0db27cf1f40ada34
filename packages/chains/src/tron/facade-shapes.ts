import { createHash } from 'node:crypto'
import { TRANSFER_TOPIC } from '../evm/decoding.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { blockIdOf, computeTronLeaf, computeTronRoot } from './content.ts'
import { TRON_HEADER_FIELDS } from './fields.ts'
import { decodeMessage, encodeMessage, readBytesField, readNumberField } from './protobuf.ts'
import { readByShape } from './reading.ts'

export type RawJsonObject = Record<string, unknown>

/** Selector of the test contract's `payAndFail(token, to, value)`. */
const PAY_AND_FAIL = '0x4c1aa2f3'
/** When transactions expire that nobody broadcast (ms). */
const EXPIRATION = 1_800_000_000_000n
/** Keeps fees small: a prime above each price of gas, as the fee of a multiple of it would be 0. */
const FEES = 2n ** 31n - 1n
const ZEROS = (bytes: number) => `0x${'00'.repeat(bytes)}`

/** Fields of blocks, receipts and transactions that TRON's nodes do not have. */
const notOfTron = new Set([
  'withdrawalsRoot',
  'withdrawals',
  'blobGasUsed',
  'excessBlobGas',
  'blobGasPrice',
  'parentBeaconBlockRoot',
  'requestsHash',
  'chainId',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'accessList',
  'yParity',
  'blockTimestamp',
])

const ofTron = <T extends RawJsonObject>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !notOfTron.has(name))) as T

/** A block as TRON's JSON-RPC returns it: fields without a counterpart in TRON are constant. */
export function toTronRpcBlock(block: RawJsonObject): RawJsonObject {
  return {
    ...ofTron(block),
    logsBloom: ZEROS(256),
    nonce: ZEROS(8),
    sha3Uncles: ZEROS(32),
    receiptsRoot: ZEROS(32),
    mixHash: ZEROS(32),
    stateRoot: '0x',
    extraData: '0x',
    baseFeePerGas: '0x0',
    difficulty: '0x0',
  }
}

/** A log, receipt or transaction as TRON's JSON-RPC returns it. */
export function toTronRpcRecord<T extends RawJsonObject>(value: T): T {
  const { r, s, raw: _, ...rest } = value
  const signature = r === undefined ? {} : { nonce: null, r: padded(r), s: padded(s) }
  return { ...ofTron(rest), ...signature } as unknown as T
}

const padded = (word: unknown) => `0x${bare(word).padStart(64, '0')}`

/** The log of a reverted `payAndFail`, which TRON nodes may still return; null for other transactions. */
export function failedTransferLog(transaction: RawJsonObject, logIndex: number): RawJsonObject | null {
  const input = String(transaction.input)
  if (!input.startsWith(PAY_AND_FAIL)) return null
  const word = (i: number) => input.slice(10 + 64 * i, 74 + 64 * i)
  return {
    address: `0x${word(0).slice(24)}`,
    topics: [TRANSFER_TOPIC, `0x${String(transaction.from).slice(2).padStart(64, '0')}`, `0x${word(1)}`],
    data: `0x${word(2)}`,
    blockNumber: transaction.blockNumber,
    blockHash: transaction.blockHash,
    transactionHash: transaction.hash,
    transactionIndex: transaction.transactionIndex,
    logIndex: `0x${logIndex.toString(16)}`,
    removed: false,
  }
}

/**
 * The signed bytes of a transaction, and its signature: those with which it was broadcast, or else some that say the
 * same.
 */
export function readSignedBytes(transaction: RawJsonObject): { raw: Uint8Array; signature: Uint8Array } {
  if (transaction.raw) {
    const whole = decodeMessage(parseHexBytes(transaction.raw))
    return { raw: readBytesField(whole, 1), signature: readBytesField(whole, 2) }
  }
  const { from, to, value, input, hash } = transaction
  const isPlain = input === '0x'
  const [owner, target] = [from, to ?? from].map(address => parseHexBytes(`0x41${bare(address)}`)) as [Buffer, Buffer]
  const content = encodeMessage([
    [1, owner],
    [2, target],
    [isPlain ? 3 : 4, isPlain ? BigInt(String(value)) : parseHexBytes(input)],
  ])
  const raw = encodeMessage([
    [1, parseHexBytes('0x0000')],
    // Makes it another one than those that say the same.
    [4, parseHexBytes(String(hash).slice(0, 18))],
    [8, EXPIRATION],
    [11, contractOf(isPlain ? 1 : 31, content)],
    [14, EXPIRATION - 60_000n],
  ])
  return { raw, signature: new Uint8Array(65) }
}

function contractOf(type: 1 | 31, content: Uint8Array): Uint8Array {
  const parameter = encodeMessage([
    [1, `type.googleapis.com/protocol.${type === 1 ? 'TransferContract' : 'TriggerSmartContract'}`],
    [2, content],
  ])
  return encodeMessage([
    [1, type],
    [2, parameter],
  ])
}

/** Returns a transaction that is known by its bytes on TRON, under the id that these have. */
export function withBroadcastId<T extends RawJsonObject>(transaction: T): T {
  const { raw, signature } = readSignedBytes(transaction)
  const whole = encodeMessage([
    [1, raw],
    [2, signature],
  ])
  return { ...transaction, raw: toHex(whole), hash: `0x${createHash('sha256').update(raw).digest('hex')}` }
}

const resultOf = (transaction: RawJsonObject, receipt: RawJsonObject) => {
  if (receipt.status === '0x1') return 'SUCCESS'
  return BigInt(String(receipt.gasUsed)) >= BigInt(String(transaction.gas)) ? 'OUT_OF_ENERGY' : 'REVERT'
}

/**
 * A block as the HTTP API returns it, with the id and the root of what it holds. `parentId` is that of the block
 * before, without 0x; its `salt` distinguishes blocks that are otherwise equal.
 */
export function toTronHttpBlock(
  block: RawJsonObject,
  receipts: readonly RawJsonObject[],
  parentId: string,
  salt: unknown = '0x',
): RawJsonObject {
  const all = (block.transactions as RawJsonObject[]).map((transaction, i) => {
    const { raw, signature } = readSignedBytes(transaction)
    return { raw, signature, result: resultOf(transaction, receipts[i]!) }
  })
  const transactions = all.map(({ raw, signature, result }) => ({
    txID: createHash('sha256').update(raw).digest('hex'),
    raw_data: shownRaw(raw),
    raw_data_hex: bare(toHex(raw)),
    signature: [bare(toHex(signature))],
    ret: [{ contractRet: result }],
  }))
  const header = {
    number: Number(block.number),
    txTrieRoot: bare(
      toHex(computeTronRoot(all.map(({ raw, signature, result }) => computeTronLeaf(raw, [signature], [result])))),
    ),
    witness_address: `41${bare(salt).slice(0, 40).padEnd(40, '0')}`,
    parentHash: parentId,
    version: 31,
    timestamp: Number(block.timestamp) * 1000,
  }
  return {
    blockID: bare(
      toHex(
        blockIdOf(readByShape({ is: 'object', fields: TRON_HEADER_FIELDS }, header) as Record<string, number | Buffer>),
      ),
    ),
    block_header: { raw_data: header, witness_signature: '00'.repeat(65) },
    // Protocol Buffers omit empty lists.
    ...(transactions.length > 0 ? { transactions } : {}),
  }
}

/** What the API shows of signed bytes, for people. */
function shownRaw(raw: Uint8Array): RawJsonObject {
  const message = decodeMessage(raw)
  return {
    contract: [
      {
        type:
          readNumberField(decodeMessage(readBytesField(message, 11)), 1) === 1n
            ? 'TransferContract'
            : 'TriggerSmartContract',
      },
    ],
    ref_block_bytes: bare(toHex(readBytesField(message, 1))),
    ref_block_hash: bare(toHex(readBytesField(message, 4))),
    expiration: Number(readNumberField(message, 8)),
    timestamp: Number(readNumberField(message, 14)),
  }
}

/** The result of a transaction, as the HTTP API returns it. */
export function toTronHttpInfo(transaction: RawJsonObject, receipt: RawJsonObject): RawJsonObject {
  const succeeded = receipt.status === '0x1'
  const left = succeeded ? null : failedTransferLog(transaction, 0)
  const logs = left ? [left] : (receipt.logs as RawJsonObject[])
  const fee = BigInt(String(receipt.gasUsed)) * BigInt(String(receipt.effectiveGasPrice))
  const plain = transaction.input === '0x'
  return {
    id: bare(transaction.hash),
    fee: Number(fee % FEES),
    blockNumber: Number(receipt.blockNumber),
    contractResult: [''],
    receipt: plain ? { net_fee: 267_000 } : { result: resultOf(transaction, receipt) },
    ...(succeeded ? {} : { result: 'FAILED' }),
    ...(logs.length > 0
      ? {
          log: logs.map(log => ({
            address: bare(log.address),
            topics: (log.topics as string[]).map(bare),
            data: bare(log.data),
          })),
        }
      : {}),
  }
}

function bare(hex: unknown): string {
  return String(hex).slice(2)
}
