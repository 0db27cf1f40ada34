import type { Receipt, Scan, Transfer, TransferFilter } from '../chain.ts'
import {
  coversTransfer,
  encodeReceipt,
  encodeTransaction,
  hashOf,
  headerHash,
  isArbitrum,
  isKnownType,
  type Json,
  toHex,
  unknownFields,
} from './encoding.ts'
import { type Header, type RawLog, readBigInt, readHash, readNumber, readReceipt, TRANSFER } from './responses.ts'
import { listRoot } from './trie.ts'

/** Length of a 32-byte word in hex with 0x. */
const WORD = 66

/** Throws Error if these are not the transactions of the block, all of them and in order. */
export function checkTransactions(block: Header): void {
  // guard: transactions-root
  if (toHex(listRoot((block.transactions as Json[]).map(encodeTransaction))) !== block.transactionsRoot)
    throw new Error('transactions do not hash to the root in the header')
}

/**
 * What a block with all its transactions has that this version does not know, and that keeps it from being verified; null if there
 * is nothing such. A block that is merely wrong is none.
 */
export function unverifiable(block: Json): string | null {
  const fields = unknownFields(block)
  if (fields.length > 0 && headerHash(block) !== block.hash)
    return `its header has unknown fields (${fields.join(', ')})`
  const other = (block.transactions as Json[]).find(tx => !isKnownType(tx))
  return other ? `it has a transaction of unknown type ${Number(other.type)}` : null
}

/** Throws Error if these are not the receipts of the block, all of them and in order. */
export function checkReceipts(block: Header, receipts: readonly Json[]): void {
  if (receipts.length !== block.transactions.length) throw new Error('not one receipt for each transaction')
  // guard: receipts-root
  if (toHex(listRoot(receipts.map(encodeReceipt))) !== block.receiptsRoot)
    throw new Error('receipts do not hash to the root in the header')
}

/**
 * Returns the receipt of a transaction from the lists of its block, which hash to the header's roots; null if it is not in them.
 * Gas and its price, which receipts commit to only in part, are computed from what the roots cover.
 */
export function receiptOf(block: Header, receipts: readonly Json[], txid: string): Receipt | null {
  const transactions = block.transactions as Json[]
  const index = transactions.findIndex(tx => hashOf(encodeTransaction(tx)) === txid)
  const receipt = receipts[index]
  if (!receipt) return null
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, type } = transactions[index]!
  const offered = block.baseFee + readBigInt(maxPriorityFeePerGas ?? '0x0')
  const most = readBigInt(Number(type ?? 0) < 2 ? gasPrice : maxFeePerGas)
  const usual = Number(type ?? 0) < 2 || most < offered ? most : offered
  const price = isArbitrum(transactions) ? block.baseFee : usual
  const before = index > 0 ? readBigInt(receipts[index - 1]!.cumulativeGasUsed) : 0n
  return readReceipt({
    ...receipt,
    transactionHash: txid,
    blockNumber: `0x${block.number.toString(16)}`,
    blockHash: block.hash,
    gasUsed: `0x${(readBigInt(receipt.cumulativeGasUsed) - before).toString(16)}`,
    effectiveGasPrice: `0x${price.toString(16)}`,
  })
}

/**
 * Picks the transfers to us from a block's transactions and receipts: logs of accepted tokens, and native coin that plain
 * transactions sent. Internal transfers of native coin do not show here; they are found later by balances.
 * The sender of native coin is what the node reports; see `senderOf`.
 * @param isVerified whether both lists hash to the header's roots; if so, nothing is read that the roots do not cover
 */
export function pickTransfers(
  chain: string,
  block: Header,
  receipts: readonly Json[],
  { tokens, native, isOurs, mayBeOurs }: TransferFilter,
  isVerified: boolean,
): Scan {
  const accepted = new Set(tokens)
  const transfers: Transfer[] = []
  const transactions = block.transactions as Json[]
  const byId = new Map(isVerified ? [] : transactions.map(tx => [tx.hash, tx]))
  const common = { chain, blockNumber: block.number, blockHash: block.hash, blockTime: block.time }
  let logIndex = 0
  for (const [index, receipt] of receipts.entries()) {
    // Without roots, receipts may be of another order: Polygon adds transactions of its own.
    const tx = isVerified ? transactions[index] : byId.get(receipt.transactionHash)
    let id = ''
    const txid = () => {
      id ||= isVerified ? hashOf(encodeTransaction(tx!)) : readHash(receipt.transactionHash)
      return id
    }
    // Receipts before Byzantium have no status; encodeReceipt holds that they have a root instead.
    const succeeded = /* guard: status */ receipt.status === undefined || readNumber(receipt.status) === 1 /* end */
    const isCovered = tx && (!isVerified || coversTransfer(tx))
    if (native && isCovered && succeeded && typeof tx.to === 'string' && isOurs(tx.to.toLowerCase())) {
      const amount = readBigInt(tx.value)
      const [from, to] = [String(tx.from).toLowerCase(), tx.to.toLowerCase()]
      if (amount > 0n)
        transfers.push({ ...common, txid: txid(), logIndex: -1 - index, ordinal: 0, token: null, from, to, amount })
    }
    for (const [ordinal, log] of (succeeded ? (receipt.logs as RawLog[]) : []).entries()) {
      const at = logIndex++
      const { topics, data } = log
      // Roots do not distinguish upper from lower case.
      if (topics.length !== 3 || data.length !== WORD || topics[0]!.toLowerCase() !== TRANSFER) continue
      const to = topics[2]!.toLowerCase()
      if (mayBeOurs && !mayBeOurs(to)) continue
      const receiver = `0x${to.slice(26)}`
      const token = log.address.toLowerCase()
      if (/* guard: contract-of-log */ !accepted.has(token) /* end */ || !isOurs(receiver)) continue
      // guard: amount-of-log
      const amount = BigInt(data)
      if (amount === 0n) continue
      const from = `0x${topics[1]!.slice(26)}`.toLowerCase()
      const place = { logIndex: at, ordinal: /* guard: ordinal */ ordinal /* end */ }
      transfers.push({ ...common, ...place, txid: txid(), token, from, to: receiver, amount })
    }
  }
  return { transfers, scanned: receipts.length + logIndex }
}
