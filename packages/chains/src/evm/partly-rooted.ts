import type { Proof } from '../chain.ts'
import { HeaderMismatch } from '../errors.ts'
import { ObjectMissing } from '../nodes/nodes.ts'
import { WorkPacer } from '../nodes/pace.ts'
import { computeLogsBloom, isEmptyBloom } from './bloom.ts'
import {
  type BlockContent,
  type BlockReader,
  type EvmBlock,
  encodeItems,
  mapByIds,
  readReportedTransaction,
  reportedReader,
} from './content.ts'
import {
  type BlockTransaction,
  decodeUnrootedReceipt,
  type HashedReceipt,
  isSameBytes,
  SignedTransaction,
} from './decoding.ts'
import { encodeFields, encodeTransaction, type JsonObject, readObject, unknownFields } from './encoding.ts'
import { UNROOTED_RECEIPT_FIELDS } from './fields.ts'
import { type ReadHeader, readList, readReportedHeader, readVerifiedHeader } from './responses.ts'
import { computeListRootPaced } from './trie.ts'

/** Fields of a header that this version does not know, and that are tried as those of a fork. */
const mostUnknown = 2

/**
 * Reads blocks that their roots do not cover as a whole, or not always. What can be checked is: the header by its hash,
 * transactions and receipts by its roots, or at least the logs by its bloom. A header that does not hash to its hash
 * binds nothing: most nodes decide.
 * @param unrootedEvery see the definition of a chain
 */
export const createPartlyRootedReader = (unrootedEvery?: number): BlockReader => ({
  isVerified: false,
  mayProve: true,
  header: readBound,
  transactions: async (header, value) =>
    (await signedOf(header.transactionsRoot, value)) ?? reportedReader.transactions(header, value),
  receipts: async (block, value) => {
    const content = await reportedReader.receipts(block, value)
    return block.header.receiptsRoot.length === 0 ? content : provedOf(block, value, content, unrootedEvery)
  },
})

/** Reads a header from the bytes that give its hash, or else as a node reports it. */
const readBound: ReadHeader = value => {
  const header = readReportedHeader(value)
  // A header of another kind: to try all orders of its fields with each answer would cost milliseconds.
  if (unknownFields(value as JsonObject).length > mostUnknown) return header
  try {
    return readVerifiedHeader(value)
  } catch {
    return header
  }
}

/** Whether a transaction offers no gas: a chain added it by itself, maybe beside the roots. */
const isOwn = ({ gas }: JsonObject) => typeof gas === 'string' && /^0x0*$/.test(gas)

/** Reads transactions of which those that offer gas, or all, hash to the root; null if they do not. */
async function signedOf(root: Uint8Array, value: unknown): Promise<BlockTransaction[] | null> {
  if (root.length === 0) return null
  const all = readList(value).map(readObject)
  for (const isBeside of all.some(isOwn) ? [isOwn, () => false] : [() => false]) {
    try {
      const pace = new WorkPacer()
      const encoded = await encodeItems(
        pace,
        all.filter(tx => !isBeside(tx)),
        encodeTransaction,
      )
      if (isSameBytes(await computeListRootPaced(encoded, pace), root)) {
        const signed = encoded.values()
        return all.map(tx => (isBeside(tx) ? readReportedTransaction(tx) : new SignedTransaction(signed.next().value!)))
      }
    } catch {
      // Of a type that this version does not know.
    }
  }
  return null
}

/**
 * Adds what vouches for the receipts of a block. Throws NotOfHeader for those that its header denies, Missing where
 * some are left out.
 */
async function provedOf(
  { header, transactions }: EvmBlock,
  value: readonly JsonObject[],
  content: BlockContent,
  unrootedEvery: number | undefined,
): Promise<BlockContent> {
  const pace = new WorkPacer()
  const fields = await encodeItems(pace, value, json => encodeFields(UNROOTED_RECEIPT_FIELDS, json))
  const all = fields.map((bytes, i) => {
    const { txid, gasUsed } = decodeUnrootedReceipt(bytes)
    return { txid, gasUsed, tx: content.sent[i]!, receipt: content.receipts[i]! }
  })
  const receiptsOf = (some: typeof all) => some.map(({ receipt }) => receipt)
  const isRooted = async (receipts: readonly HashedReceipt[]) => {
    const bytes = receipts.map(each => each.bytes)
    return isSameBytes(await computeListRootPaced(bytes, pace), header.receiptsRoot)
  }
  const byId = new Map(all.map(each => [each.txid, each]))
  const signed = await mapByIds(
    pace,
    transactions.filter(tx => tx instanceof SignedTransaction),
  )
  const rooted = [...signed.keys()].map(id => {
    const each = byId.get(id)
    if (!each) throw new ObjectMissing('receipts of the block are missing')
    return each
  })
  const fitting = (rank: Proof['rank']) => ({ ...content, proof: { rank, beside: all.map(({ txid }) => txid) } })
  if ((rooted.length > 0 || transactions.length === 0) && (await isRooted(receiptsOf(rooted)))) {
    if (unrootedEvery === undefined) return fitting('logs')
    const rest = all.filter(({ txid }) => !signed.has(txid))
    const isWhole = rest.length === 0 && (unrootedEvery === 0 || header.number % unrootedEvery !== 0)
    const ordered = [...rooted, ...rest]
    return {
      header,
      sent: ordered.map(({ tx }) => tx),
      receipts: receiptsOf(ordered),
      proof: { rank: isWhole ? 'whole' : 'part', beside: rest.map(({ txid }) => txid) },
    }
  }
  const lists = [receiptsOf(all), receiptsOf(all.filter(({ gasUsed }) => gasUsed > 0n))]
  const fits = async (receipts: readonly HashedReceipt[]) =>
    isSameBytes(await computeLogsBloom(receipts, pace), header.bloom!)
  for (const list of lists) if (await isRooted(list)) return fitting('logs')
  // Chains without blooms leave it empty.
  // guard: bloom
  if (isEmptyBloom(header.bloom!)) return fitting('bloom')
  for (const list of lists) if (await fits(list)) return fitting('bloom')
  throw new HeaderMismatch('its logs are not those that its header commits to')
}
