import { SignedTransaction, TRANSFER_TOPIC } from '../evm/decoding.ts'
import { computeKeccakHex, encodeReceipt, encodeTransaction, headerHash, type JsonObject } from '../evm/encoding.ts'
import { type EvmField, type FieldShape, HEADER_FIELDS, TRANSACTION_FIELDS } from '../evm/fields.ts'
import { listRoot } from '../evm/trie.ts'
import type { Random } from '../fake/random.ts'
import { parseHexBytes, toHex } from '../hex.ts'

/** A payment: native coin, or transfers of a token by one transaction. */
export type MadePayment = { token: string | null; to: string; amount: bigint }[]

/** A block as honest nodes report it. */
export type MadeBlock = { header: JsonObject; block: JsonObject; receipts: JsonObject[] }

const hex = (value: number | bigint) => `0x${value.toString(16)}`
const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const bytes = (random: Random, count: number) =>
  `0x${random
    .hash()
    .slice(2)
    .repeat(8)
    .slice(0, 2 * count)}`

/** Returns some value of a shape. */
function someValue(shape: FieldShape, random: Random): unknown {
  switch (shape.is) {
    case 'bytes':
      return bytes(random, shape.bytes)
    case 'data':
      return bytes(random, random.below(40))
    case 'quantity':
      return hex(random.below(2 ** (8 * Math.min(shape.most, 4))))
    case 'flag':
      return random.chance(0.5)
    case 'list':
      return Array.from({ length: 1 + random.below(2) }, () => someValue(shape.of, random))
    case 'object':
      return someValues(shape.fields, random)
    case 'typed':
      throw new Error('made by its type')
  }
}

const someValues = (fields: readonly EvmField[], random: Random): JsonObject =>
  Object.fromEntries(fields.map(({ name, shape }) => [name, someValue(shape, random)]))

/** Types of transactions that send coin and whose sender their bytes tell. */
const sending = [0, 1, 2, 126]
/** Types that this version knows. That of Arbitrum's first transactions changes how fees are counted. */
export const madeTypes = Object.keys(TRANSACTION_FIELDS).map(Number)

async function transactionOf(type: number, payment: MadePayment, random: Random): Promise<JsonObject> {
  const [coin] = payment[0]?.token === null ? payment : []
  for (;;) {
    const tx: JsonObject = {
      value: '0x0',
      gas: hex(21_000 + random.below(1_000_000)),
      to: bytes(random, 20),
      from: bytes(random, 20),
      ...someValues(TRANSACTION_FIELDS[type]!, random),
      type: hex(type),
      ...(type === 0 ? { v: '0x1b' } : { yParity: '0x0' }),
      ...(coin && { to: coin.to, value: hex(coin.amount), accessList: [] }),
    }
    const encoded = encodeTransaction(tx)
    const from = coin ? await new SignedTransaction(encoded).sender() : tx.from
    // Not every signature is somebody's.
    if (from) return { ...tx, from, hash: computeKeccakHex(encoded) }
  }
}

function bloomOf(logs: readonly JsonObject[]): string {
  const bits = Buffer.alloc(256)
  for (const { address, topics } of logs)
    for (const entry of [address, ...(topics as string[])]) {
      const hash = parseHexBytes(computeKeccakHex(parseHexBytes(entry)))
      for (const at of [0, 2, 4]) {
        const bit = hash.readUInt16BE(at) & 2_047
        bits[255 - (bit >> 3)]! |= 1 << (bit & 7)
      }
    }
  return toHex(bits)
}

/** Makes a block of these payments, one transaction each, after one transaction of each of the other types. */
export async function makeBlock(
  before: MadeBlock | null,
  { payments, types, random }: { payments: readonly MadePayment[]; types: readonly number[]; random: Random },
): Promise<MadeBlock> {
  const number = before ? Number(before.header.number) + 1 : 0
  const all = [
    ...types.map(type => ({ type, payment: [] as MadePayment })),
    ...payments.map(payment => ({ type: sending[random.below(sending.length)]!, payment })),
  ]
  const transactions: JsonObject[] = []
  for (const { type, payment } of all) transactions.push(await transactionOf(type, payment, random))
  let used = 0
  const receipts = all.map(({ type, payment }, i): JsonObject => {
    const gasUsed = 21_000 + random.below(50_000)
    used += gasUsed
    const { hash: transactionHash, from } = transactions[i]!
    const transfers = payment.length > 0 ? payment : [{ token: bytes(random, 20), to: bytes(random, 20), amount: 1n }]
    const logs = transfers.flatMap(({ token, to, amount }) => {
      const topics = [TRANSFER_TOPIC, word(String(from).slice(2)), word(to.slice(2))]
      return token ? [{ address: token, topics, data: word(amount.toString(16)) }] : []
    })
    return {
      type: hex(type),
      status: '0x1',
      cumulativeGasUsed: hex(used),
      logs,
      logsBloom: bloomOf(logs),
      transactionHash,
      blockNumber: hex(number),
      gasUsed: hex(gasUsed),
      effectiveGasPrice: hex(1e9),
    }
  })
  const header: JsonObject = {
    ...someValues(HEADER_FIELDS, random),
    ...(before ? { parentHash: before.header.hash } : {}),
    number: hex(number),
    timestamp: hex(1_700_000_000 + 12 * number + random.below(12)),
    logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs as JsonObject[])),
    transactionsRoot: toHex(listRoot(transactions.map(encodeTransaction))),
    receiptsRoot: toHex(listRoot(receipts.map(encodeReceipt))),
  }
  header.hash = headerHash(header)
  for (const each of receipts) each.blockHash = header.hash
  const ids = transactions.map(({ hash }) => hash)
  return { header: { ...header, transactions: ids }, block: { ...header, transactions }, receipts }
}

/** Returns the answer of an honest node that has these blocks. */
export function answerOf(blocks: readonly MadeBlock[], method: string, [which, full]: readonly unknown[]): unknown {
  const found = blocks.find(({ header }) => header.hash === which || header.number === which)
  switch (method) {
    case 'eth_getBlockByNumber':
    case 'eth_getBlockByHash': {
      const block = which === 'latest' ? blocks.at(-1) : found
      return (full ? block?.block : block?.header) ?? null
    }
    case 'eth_getBlockReceipts':
      return found?.receipts ?? null
    case 'eth_getTransactionReceipt':
      return blocks.flatMap(each => each.receipts).find(each => each.transactionHash === which) ?? null
    default:
      throw new Error(`no answer to ${method}`)
  }
}
