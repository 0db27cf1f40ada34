import type { BlockId, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { CallRefused, ChainUnavailable, TooLarge } from '../errors.ts'
import { VOTE_TIMEOUT_MS } from './nodes.ts'

/** Finds transfers to us in blocks. */
export type Watching = {
  inBlock: (block: BlockId, filter: TransferFilter) => Promise<Scan>
  inRange: (from: number, to: number, filter: TransferFilter) => Promise<RangeScan>
}

/** A node that is queried by itself. `failingSince`: time of its first failure since the last answer; null if none. */
export type WatchedNode = { watch: Watching; failingSince: number | null }

/** A node's transfers by transaction; null if it votes against, undefined if it has failed for so long that it no longer counts. */
type Vote = Map<string, Transfer[]> | null | undefined

/** `compared` returns what nodes must agree on of a transfer, as their kind defines it. */
type Question = {
  from: number
  last: BlockId
  filter: TransferFilter
  compared: (transfer: Transfer) => string
  now: number
}

/** How long (ms) to wait for nodes whose answers cannot change the outcome. */
const graceMs = 200

/**
 * Returns the transfers to us in the blocks from `from` to `last` on which most nodes agree, transaction by transaction: a transfer
 * counts when most have all of the transaction's transfers to us the same, and one that most deny does not. Null while there is no
 * majority about some transaction. A node that fails, or has other blocks, votes against for a minute. Two must agree of three.
 * A node that hangs is hardly waited for once the others have decided.
 */
export async function agreeOn(
  nodes: readonly WatchedNode[],
  { from, last, filter, compared, now }: Question,
): Promise<Transfer[] | null> {
  const votes: Vote[] = nodes.map(() => null)
  const scans = nodes.map(async (node, index) => {
    try {
      const scan = await scanOf(node.watch, from, last, filter)
      node.failingSince = null
      if (scan.last.hash === last.hash) votes[index] = Map.groupBy(scan.transfers, each => each.txid)
    } catch {
      node.failingSince ??= now
      if (now - node.failingSince >= VOTE_TIMEOUT_MS) votes[index] = undefined
    }
  })
  const { promise: waitedEnough, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  for (const each of scans)
    void each.then(() => {
      if (decide(votes, compared)) timer ??= setTimeout(resolve, graceMs)
    })
  await Promise.race([Promise.all(scans), waitedEnough])
  clearTimeout(timer)
  if (!votes.some(Boolean)) throw new ChainUnavailable('no node has these blocks')
  return decide(votes, compared)
}

/** Reads one block by its hash, which takes a node fewer requests one after the other than a range. */
const scanOf = async (watch: Watching, from: number, last: BlockId, filter: TransferFilter) =>
  from === last.number ? { ...(await watch.inBlock(last, filter)), last } : watch.inRange(from, last.number, filter)

/** Whether `same` equal votes of all decide: most do, and never a single one where there are three nodes or more. */
export const isMost = (same: number, votes: number, nodes: number): boolean =>
  same * 2 > votes && (same > 1 || nodes < 3)

/** The transfers of a majority, or null. Votes that are still out count as against, so that they cannot change what is decided. */
function decide(all: readonly Vote[], compared: Question['compared']): Transfer[] | null {
  const textOf = (transfers: readonly Transfer[]) => transfers.map(compared).join()
  const votes = all.filter(vote => vote !== undefined)
  const answers = votes.filter(vote => vote !== null)
  const transfers: Transfer[] = []
  for (const txid of new Set(answers.flatMap(vote => [...vote.keys()]))) {
    const versions = answers.map(vote => vote.get(txid) ?? [])
    const isAgreed = (version: Transfer[]) => {
      const same = versions.filter(each => textOf(each) === textOf(version)).length
      // guard: transfers-agreed
      return isMost(same, votes.length, all.length)
    }
    const version = versions.find(isAgreed)
    if (!version) return null
    transfers.push(...version)
  }
  // Blocks without transfers to us must be agreed on too: most nodes have to have answered at all.
  if (answers.length * 2 <= votes.length || (answers.length < 2 && all.length > 2)) return null
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** The values that nodes answered, distinct by a text, with how many answered each, that of most nodes first. */
export function byMost<T>(votes: readonly (T | Error)[], textOf: (value: T) => string): { value: T; count: number }[] {
  const values = votes.flatMap(vote => (vote instanceof Error ? [] : [vote]))
  const groups = [...Map.groupBy(values, textOf).values()]
  return groups.map(same => ({ value: same[0]!, count: same.length })).sort((a, b) => b.count - a.count)
}

/** The value that most nodes answered, or null. Errors vote against. */
export function mostAnswered<T>(votes: readonly (T | Error)[], nodes: number, textOf: (value: T) => string): T | null {
  const [first] = byMost(votes, textOf)
  return first && isMost(first.count, votes.length, nodes) ? first.value : null
}

/** Whether an answer is a refusal, which is no vote. */
export const isRefusal = (answer: unknown) => answer instanceof CallRefused || answer instanceof TooLarge

/**
 * Returns the balance that most nodes report, and two at least if there are two; null if there is none. A node that refuses has no vote,
 * one that fails votes against.
 */
export function mostReport(answers: readonly (bigint | Error)[], nodes: number): bigint | null {
  const votes = answers.filter(each => !isRefusal(each))
  for (const vote of votes) {
    if (vote instanceof Error) continue
    const same = votes.filter(each => each === vote).length
    if (/* guard: balance-agreed */ same * 2 > votes.length && same >= Math.min(2, nodes) /* end */) return vote
  }
  return null
}
