import type { ChainView, DropVerdict, NodeClaim } from '../chain.ts'
import { isChainError } from '../errors.ts'
import { encodeQuantity } from '../evm/calls.ts'
import { hasMajority } from '../nodes/agree.ts'
import type { Nodes } from '../nodes/nodes.ts'
import type { TronBlocks } from './blocks.ts'
import { readReportedTronHeader, readTronHeader } from './content.ts'
import { callTronHttpApi } from './http-api.ts'
import { readTransactionId, readTransactionInfo } from './responses.ts'

/** Milliseconds after its expiration from which final blocks without a transaction show that it never was in one. */
const EXPIRY_MARGIN = 60_000
/** How long (ms) after it a node counts that has it and cannot show where, or whose blocks are older or others. */
const UNSHOWN_FOR = 3_600_000
/** Nodes whose final blocks must show that a transaction was never mined, where there are as many. */
const WITNESSES = 2

/**
 * What a node's final blocks say: they never had it, are too old, have it somewhere, or in the block of a height.
 * `time` is theirs (ms).
 */
type Word = { node: Nodes; url: string; time: number; says: 'absent' | 'early' | 'somewhere' | number }

/** A transaction, and when it expires (ms since 1970). */
type Sent = { txid: string; expiration: number }

/** By what words are weighed. `isLong`: an hour has passed; `isOutvoted`: most of all nodes never had it. */
type Weighing = { chain: ChainView; blocks: TronBlocks; sent: Sent; isLong: boolean; isOutvoted: boolean }

/**
 * Whether a transaction was in no block a minute after its expiration, by two nodes, and none shows it. A node that
 * names a block is believed, unless that block, which most nodes have, is proven and does not have it. One that only
 * says that it has it, that has another block than most, or whose blocks are too old, is waited for an hour: it is on a
 * fork, stands still, or lies. So is one that names a block which nobody can prove: after that, the content on which
 * most nodes agree counts. Nothing that a node claims is set aside without proof but by most of all nodes.
 * @param each the nodes, each by itself
 */
export async function decideWhetherDropped(
  chain: ChainView,
  blocks: TronBlocks,
  each: readonly Nodes[],
  sent: Sent,
): Promise<DropVerdict> {
  const answers = await Promise.all(each.map(node => wordOf(node, sent).catch(() => null)))
  const words = answers.filter(answer => answer !== null)
  const absent = words.filter(({ says }) => says === 'absent').length
  const times = words.map(({ time }) => time).sort((a, b) => a - b)
  const isLong = times.length > 0 && times[Math.floor((times.length - 1) / 2)]! > sent.expiration + UNSHOWN_FOR
  const isOutvoted = hasMajority(absent, each.length, each.length)
  // guard: dropped-agreed
  let isDropped = absent >= Math.min(WITNESSES, each.length)
  const claims: NodeClaim[] = []
  for (const { node, url, says } of words) {
    if (says === 'absent') continue
    if (!(await isOverruled({ chain, blocks, sent, isLong, isOutvoted }, node, says))) isDropped = false
    if (says !== 'early') claims.push({ url, block: typeof says === 'number' ? says : null })
  }
  return { isDropped, claims: absent > 0 ? claims : [], isOutvoted }
}

/** What a node says. Throws if it fails, or its answer is malformed. */
async function wordOf(node: Nodes, { txid, expiration }: Sent): Promise<Word> {
  // The block first: later answers are at least as new.
  const { time: seconds, url } = await callTronHttpApi(node, '/walletsolidity/getnowblock', {}, (result, from) => ({
    ...readTronHeader(result),
    url: from,
  }))
  const body = { value: txid.slice(2) }
  const isOurs = (id: string) => {
    if (id !== txid) throw new Error('response is for another transaction')
  }
  const [isKnown, info] = await Promise.all([
    callTronHttpApi(node, '/walletsolidity/gettransactionbyid', body, result => {
      const id = readTransactionId(result)
      if (id !== null) isOurs(id)
      return id !== null
    }),
    callTronHttpApi(node, '/walletsolidity/gettransactioninfobyid', body, result => {
      const found = readTransactionInfo(result)
      if (found) isOurs(found.txid)
      return found
    }),
  ])
  const word = { node, url, time: seconds * 1_000 }
  if (info) return { ...word, says: info.blockNumber ?? 'somewhere' }
  if (isKnown) return { ...word, says: 'somewhere' }
  return { ...word, says: word.time > expiration + EXPIRY_MARGIN ? 'absent' : 'early' }
}

/** Whether what a node says against the others does not count. */
async function isOverruled(
  { chain, blocks, sent, isLong, isOutvoted }: Weighing,
  node: Nodes,
  says: Exclude<Word['says'], 'absent'>,
): Promise<boolean> {
  if (says === 'early') return isLong
  // guard: claim-outvoted
  const countsNoMore = isLong && isOutvoted
  if (says === 'somewhere') return countsNoMore
  try {
    const block = await chain.blockAt(says)
    const own = node.ask('eth_getBlockByNumber', [encodeQuantity(says), false], readReportedTronHeader)
    const isSame = await own.then(({ hash }) => hash === block?.hash).catch(() => false)
    if (!isSame && !countsNoMore) return false
    if (!block) return true
    const { isProven, transactions } = await blocks.byId(block)
    return (isProven || countsNoMore) && transactions.every(each => each.txid !== sent.txid)
  } catch (error) {
    if (isChainError(error)) return false
    throw error
  }
}
