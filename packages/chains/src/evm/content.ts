import type { Proof, Receipt, Scan, Transfer, TransferFilter } from '../chain.ts'
import { parseHexBytes, toHex } from '../hex.ts'
import { ObjectMissing } from '../nodes/nodes.ts'
import { WorkPacer } from '../nodes/pace.ts'
import {
  addressTail,
  type BlockTransaction,
  createUnknownTransaction,
  decodeUnrootedReceipt,
  HashedReceipt,
  type Header,
  isArbitrum,
  isSameBytes,
  ReportedTransaction,
  SignedTransaction,
} from './decoding.ts'
import {
  encodeFields,
  encodeReceipt,
  encodeTransaction,
  headerHash,
  isKnownType,
  type JsonObject,
  readObject,
  unknownFields,
} from './encoding.ts'
import { REPORTED_TRANSACTION_FIELDS, UNROOTED_RECEIPT_FIELDS } from './fields.ts'
import { joinReceipt, type ReadHeader, readList, readReportedHeader, readVerifiedHeader } from './responses.ts'
import { computeListRootPaced } from './trie.ts'

/** A block with its transactions. */
export type EvmBlock = { header: Header; transactions: readonly BlockTransaction[] }

/** What a block holds, as far as it is used: its receipts, and the transaction of each. */
export type BlockContent = {
  header: Header
  sent: readonly BlockTransaction[]
  receipts: readonly HashedReceipt[]
  proof?: Proof
}

/**
 * How the answers of a node are read. Everything is read from the bytes that were hashed, or else from values that most
 * nodes must report.
 */
export type BlockReader = {
  readonly isVerified: boolean
  /** Whether what one node sends may prove itself against what the others do. */
  readonly mayProve: boolean
  readonly header: ReadHeader
  /** Reads the transactions of a block. Throws Error. */
  readonly transactions: (header: Header, value: unknown) => Promise<BlockTransaction[]>
  /** Joins the receipts of a block with its transactions. Throws Missing, Error. */
  readonly receipts: (block: EvmBlock, value: readonly JsonObject[]) => Promise<BlockContent>
}

/** Reads what hashes to the roots in the header: all of it and in order. */
export const verifiedReader: BlockReader = {
  isVerified: true,
  mayProve: true,
  header: readVerifiedHeader,
  transactions: async (header, value) => {
    const pace = new WorkPacer()
    const encoded = await encodeItems(pace, readList(value), tx => encodeTransaction(readObject(tx)))
    // guard: transactions-root
    if (!isSameBytes(await computeListRootPaced(encoded, pace), header.transactionsRoot))
      throw new Error('transactions do not hash to the root in the header')
    return encoded.map(bytes => new SignedTransaction(bytes))
  },
  receipts: async ({ header, transactions }, value) => {
    if (value.length !== transactions.length) throw new Error('not one receipt for each transaction')
    const pace = new WorkPacer()
    const encoded = await encodeItems(pace, value, encodeReceipt)
    // guard: receipts-root
    if (!isSameBytes(await computeListRootPaced(encoded, pace), header.receiptsRoot))
      throw new Error('receipts do not hash to the root in the header')
    return { header, sent: transactions, receipts: encoded.map(bytes => new HashedReceipt(bytes)) }
  },
}

/** Reads what a node reports where the roots cannot be computed. */
export const reportedReader: BlockReader = {
  isVerified: false,
  mayProve: false,
  header: readReportedHeader,
  transactions: async (_, value) => {
    const encoded = await encodeItems(new WorkPacer(), readList(value), tx =>
      encodeFields(REPORTED_TRANSACTION_FIELDS, readObject(tx)),
    )
    return encoded.map(bytes => new ReportedTransaction(bytes))
  },
  // Receipts may be of another order, and more: Polygon adds transactions of its own.
  receipts: async ({ header, transactions }, value) => {
    const pace = new WorkPacer()
    const beside = (await encodeItems(pace, value, json => encodeFields(UNROOTED_RECEIPT_FIELDS, json))).map(
      decodeUnrootedReceipt,
    )
    // Another node may have put a transaction of another block into this one: whose fault it is, is not known.
    if (beside.some(({ blockHash }) => blockHash !== header.hash)) throw new ObjectMissing('receipts of another block')
    const byId = await mapByIds(pace, transactions)
    const known = new Set(beside.map(({ txid }) => txid))
    const isLeft = ([id, tx]: [string, BlockTransaction]) =>
      !known.has(id) && tx instanceof ReportedTransaction && tx.hasGas
    if (byId.entries().some(isLeft)) throw new ObjectMissing('receipts of the block are missing')
    return {
      header,
      sent: beside.map(({ txid }) => byId.get(txid) ?? createUnknownTransaction(txid)),
      receipts: (await encodeItems(pace, value, encodeReceipt)).map(bytes => new HashedReceipt(bytes)),
    }
  },
}

/** Encodes each item, with pauses. */
export async function encodeItems<T>(
  pace: WorkPacer,
  items: readonly T[],
  encode: (item: T) => Uint8Array,
): Promise<Uint8Array[]> {
  const encoded: Uint8Array[] = []
  for (const item of items) {
    const bytes = encode(item)
    encoded.push(bytes)
    if (pace.isDue(bytes.length)) await pace.rest()
  }
  return encoded
}

/** How many bytes are hashed for the id of a transaction. */
const hashedFor = (tx: BlockTransaction) => (tx instanceof SignedTransaction ? tx.bytes.length : 0)

/** Maps transactions by their ids, which are hashed for it. */
export async function mapByIds(
  pace: WorkPacer,
  transactions: readonly BlockTransaction[],
): Promise<Map<string, BlockTransaction>> {
  const known = new Map<string, BlockTransaction>()
  for (const tx of transactions) {
    known.set(tx.id, tx)
    if (pace.isDue(hashedFor(tx))) await pace.rest()
  }
  return known
}

/** Reads a transaction as a node reports it. Throws Error. */
export function readReportedTransaction(tx: JsonObject): BlockTransaction {
  return new ReportedTransaction(encodeFields(REPORTED_TRANSACTION_FIELDS, tx))
}

/**
 * What a block with all its transactions has that this version does not know, and that keeps it from being verified;
 * null if there is nothing such. A block that is merely wrong is none. Throws Error for a malformed one.
 */
export function describeUnverifiable(block: JsonObject): string | null {
  const fields = unknownFields(block)
  if (fields.length > 0 && headerHash(block) !== block.hash)
    return `its header has unknown fields (${fields.slice(0, 8).join(', ').slice(0, 200)})`
  const other = readList(block.transactions).find(tx => !isKnownType(readObject(tx)))
  return other ? `it has a transaction of unknown type ${Number(readObject(other).type)}` : null
}

/**
 * Returns the receipt of a transaction from what hashes to the roots of its block; null if it is not in it. Gas and its
 * price, which receipts commit to only in part, are computed from what the roots cover.
 */
export async function extractReceipt({ header, sent, receipts }: BlockContent, txid: string): Promise<Receipt | null> {
  const pace = new WorkPacer()
  let index = 0
  for (; index < sent.length && sent[index]!.id !== txid; index++)
    if (pace.isDue(hashedFor(sent[index]!))) await pace.rest()
  const tx = sent[index]
  const receipt = receipts[index]
  if (!receipt || !(tx instanceof SignedTransaction)) return null
  const before = index > 0 ? receipts[index - 1]!.cumulativeGasUsed : 0n
  return joinReceipt(receipt, {
    txid,
    blockNumber: header.number,
    blockHash: header.hash,
    gasUsed: receipt.cumulativeGasUsed - before,
    gasPrice: isArbitrum(sent) ? header.baseFee : tx.priceAt(header.baseFee),
  })
}

/**
 * Picks the transfers to us from what a block holds: logs of accepted tokens, and native coin that plain transactions
 * sent. Internal transfers of native coin do not show here; they are found later by balances.
 */
export async function pickTransfers(
  chain: string,
  { header, sent, receipts, proof }: BlockContent,
  { tokens, native, isOurs, mayBeOurs }: TransferFilter,
): Promise<Scan> {
  const accepted = tokens.map(parseHexBytes)
  const transfers: Transfer[] = []
  const common = { chain, blockNumber: header.number, blockHash: header.hash, blockTime: header.time }
  const pace = new WorkPacer()
  let logIndex = 0
  for (const [index, receipt] of receipts.entries()) {
    if (pace.isDue(receipt.bytes.length)) await pace.rest()
    const succeeded = /* guard: status */ receipt.succeeded /* end */
    if (!succeeded) continue
    const tx = sent[index]!
    const receiver = native ? tx.to : null
    if (receiver && (!mayBeOurs || mayBeOurs(addressTail(receiver)))) {
      const to = toHex(receiver)
      const amount = tx.value
      const place = { txid: tx.id, logIndex: -1 - index, ordinal: 0, token: null }
      if (isOurs(to) && amount > 0n) transfers.push({ ...common, ...place, from: await tx.sender(), to, amount })
    }
    const { count, transfers: logged } = receipt.transfers()
    for (const log of logged) {
      if (mayBeOurs && !mayBeOurs(log.tail)) continue
      if (/* guard: contract-of-log */ !accepted.some(token => log.isOf(token)) /* end */) continue
      const { to } = log
      if (!isOurs(to)) continue
      // guard: amount-of-log
      const amount = log.amount
      if (amount === 0n) continue
      const ordinal = /* guard: ordinal */ log.at /* end */
      const place = { txid: tx.id, logIndex: logIndex + log.at, ordinal, token: log.token }
      transfers.push({ ...common, ...place, from: log.from, to, amount })
    }
    logIndex += count
  }
  return { transfers, scanned: receipts.length + logIndex, ...(proof && { proof }) }
}
