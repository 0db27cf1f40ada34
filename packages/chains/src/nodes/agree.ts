import type { BlockId, Proof, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { CallRefused, ChainUnavailable, HeaderMismatch, ResponseTooLarge } from '../errors.ts'
import { VOTE_TIMEOUT_MS } from './nodes.ts'

/** Finds transfers to us in blocks. */
export type TransferWatch = {
  inBlock: (block: BlockId, filter: TransferFilter) => Promise<Scan>
  inRange: (from: number, to: number, filter: TransferFilter) => Promise<RangeScan>
}

/** A node that is queried by itself. `failingSince`: time of its first failure since the last answer; null if none. */
export type WatchedNode = { watch: TransferWatch; url: string; failingSince: number | null }

/** A node's transfers by transaction, and what vouches for them. */
type Found = { proof: Proof | undefined; transfers: Map<string, Transfer[]> }
/**
 * Null if the node votes against; undefined if it has failed for so long, or lied so plainly, that it does not count.
 */
type Vote = Found | null | undefined

/**
 * `compared` returns what nodes must agree on of a transfer, as their kind defines it; `mayProve`: what one node sends
 * may count against the others. `said` is what a node told of the block before: it is not queried again.
 */
type Question = {
  from: number
  last: BlockId
  filter: TransferFilter
  compared: (transfer: Transfer) => string
  mayProve: boolean
  said: Scan | undefined
  now: number
}

/** How long (ms) to wait for nodes whose answers cannot change the outcome. */
const graceMs = 200
/** How long (ms) to wait for as many nodes as can decide until the others are queried, too. */
const lateMs = 500

/**
 * Returns the transfers to us in the blocks from `from` to `last` on which most nodes agree, transaction by
 * transaction: a transfer counts when most have all of the transaction's transfers to us the same, and one that most
 * deny does not. Null while there is no majority about some transaction. A node that fails, or has other blocks, votes
 * against for a minute. Two must agree of three. A node that hangs is hardly waited for once the others have decided.
 * Where no node can prove what it sends, no more are queried than decide, unless they differ or are late.
 */
export async function agreeOnTransfers(nodes: readonly WatchedNode[], question: Question): Promise<Transfer[] | null> {
  const { compared, mayProve } = question
  // One node alone is read again.
  const said = nodes.length > 1 ? question.said : undefined
  const votes: Vote[] = nodes.map(({ url }) => (said?.by === url ? foundOf(said) : null))
  const silent = nodes
    .filter((_, i) => votes[i] === null)
    .toSorted((a, b) => Number(a.failingSince !== null) - Number(b.failingSince !== null))
  const most = Math.floor(nodes.length / 2) + 1
  const first = mayProve ? silent.length : most - (nodes.length - silent.length)
  const scans: Promise<void>[] = []
  const query = (some: readonly WatchedNode[]) => {
    for (const node of some) {
      const noted = voteOf(node, question).then(vote => {
        votes[nodes.indexOf(node)] = vote
      })
      scans.push(noted)
    }
  }
  const isDecided = () => decide(votes, compared) !== null
  query(silent.slice(0, first))
  if (first < silent.length) {
    await waitFor(scans, isDecided, lateMs)
    if (!isDecided()) query(silent.slice(first))
  }
  await waitFor(scans, isDecided)
  if (!votes.some(Boolean)) throw new ChainUnavailable('no node has these blocks')
  return decide(votes, compared)
}

async function voteOf(node: WatchedNode, { from, last, filter, now }: Question): Promise<Vote> {
  try {
    const scan = await scanOf(node.watch, from, last, filter)
    node.failingSince = null
    return scan.last.hash === last.hash ? foundOf(scan) : null
  } catch (error) {
    node.failingSince ??= now
    return error instanceof HeaderMismatch || now - node.failingSince >= VOTE_TIMEOUT_MS ? undefined : null
  }
}

const foundOf = ({ proof, transfers }: Scan): Found => ({ proof, transfers: Map.groupBy(transfers, each => each.txid) })

/** Waits for all scans, or until they have decided and some time, or until `mostMs` have passed. */
async function waitFor(scans: readonly Promise<void>[], isDecided: () => boolean, mostMs?: number): Promise<void> {
  const { promise: waitedEnough, resolve } = Promise.withResolvers<void>()
  const late = mostMs === undefined ? undefined : setTimeout(resolve, mostMs)
  let grace: NodeJS.Timeout | undefined
  for (const each of scans)
    void each.then(() => {
      if (isDecided()) grace ??= setTimeout(resolve, graceMs)
    })
  await Promise.race([Promise.all(scans), waitedEnough])
  clearTimeout(late)
  clearTimeout(grace)
}

/** Reads one block by its hash, which takes a node fewer requests one after the other than a range. */
const scanOf = async (watch: TransferWatch, from: number, last: BlockId, filter: TransferFilter) =>
  from === last.number ? { ...(await watch.inBlock(last, filter)), last } : watch.inRange(from, last.number, filter)

/** Whether `same` equal votes of all decide: most do, and never a single one where there are three nodes or more. */
export const hasMajority = (same: number, votes: number, nodes: number): boolean =>
  same * 2 > votes && (same > 1 || nodes < 3)

/**
 * The transfers that are proved, or of a majority; null while there is none. Votes that are still out count as against,
 * so that they cannot change what is decided.
 */
function decide(all: readonly Vote[], compared: Question['compared']): Transfer[] | null {
  const textOf = (transfers: readonly Transfer[] = []) => transfers.map(compared).join()
  // guard: proved-whole
  const whole = all.find(vote => vote?.proof?.rank === 'whole')
  if (whole) return inOrder([...whole.transfers.values()].flat())
  const proved = new Map<string, string>()
  for (const vote of all)
    for (const [txid, transfers] of vote?.proof ? vote.transfers : [])
      if (!vote!.proof!.beside.includes(txid)) proved.set(txid, textOf(transfers))
  const denies = ({ transfers }: Found) => [...proved].some(([txid, text]) => textOf(transfers.get(txid)) !== text)
  const votes = all.filter(vote => vote !== undefined).filter(vote => vote === null || !denies(vote))
  const given = votes.filter(vote => vote !== null)
  // What fits the header is not outvoted by what fits less of it, or has a header that nothing binds.
  const rankOf = ({ proof }: Found) => ranks.indexOf(proof?.rank)
  const highest = Math.max(...given.map(rankOf))
  const best = given.filter(vote => rankOf(vote) === highest)
  // guard: fits-more
  const answers = given.filter(vote => best.some(one => isEqual(one, vote, textOf)))
  const transfers: Transfer[] = []
  for (const txid of new Set(answers.flatMap(vote => [...vote.transfers.keys()]))) {
    const versions = answers.map(vote => vote.transfers.get(txid) ?? [])
    const isAgreed = (version: Transfer[]) => {
      if (proved.has(txid)) return textOf(version) === proved.get(txid)
      const same = versions.filter(each => textOf(each) === textOf(version)).length
      // guard: transfers-agreed
      return hasMajority(same, votes.length, all.length)
    }
    const version = versions.find(isAgreed)
    if (!version) return null
    transfers.push(...version)
  }
  // Blocks without transfers to us must be agreed on too: most nodes have to have answered at all.
  const isProved = answers.some(({ proof }) => proof?.rank === 'part')
  if (answers.length * 2 <= votes.length || (answers.length < 2 && all.length > 2 && !isProved)) return null
  return inOrder(transfers)
}

/** Proofs, the weakest first. */
const ranks: readonly (Proof['rank'] | undefined)[] = [undefined, 'bloom', 'logs', 'part']

const isEqual = (one: Found, other: Found, textOf: (transfers?: readonly Transfer[]) => string) =>
  [...new Set([...one.transfers.keys(), ...other.transfers.keys()])].every(
    txid => textOf(one.transfers.get(txid)) === textOf(other.transfers.get(txid)),
  )

const inOrder = (transfers: Transfer[]) =>
  transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)

/** The values that nodes answered, distinct by a text, with how many answered each, that of most nodes first. */
export function countAnswers<T>(
  votes: readonly (T | Error)[],
  textOf: (value: T) => string,
): { value: T; count: number }[] {
  const values = votes.flatMap(vote => (vote instanceof Error ? [] : [vote]))
  const groups = [...Map.groupBy(values, textOf).values()]
  return groups.map(same => ({ value: same[0]!, count: same.length })).sort((a, b) => b.count - a.count)
}

/** The value that most nodes answered, or null. Errors vote against. */
export function findMajorityAnswer<T>(
  votes: readonly (T | Error)[],
  nodes: number,
  textOf: (value: T) => string,
): T | null {
  const [first] = countAnswers(votes, textOf)
  return first && hasMajority(first.count, votes.length, nodes) ? first.value : null
}

/** Whether an answer is a refusal, which is no vote. */
export const isRefusal = (answer: unknown) => answer instanceof CallRefused || answer instanceof ResponseTooLarge

/**
 * Returns the balance that most nodes report, and two at least if there are two; null if there is none. A node that
 * refuses has no vote, one that fails votes against.
 */
export function findMajorityBalance(answers: readonly (bigint | Error)[], nodes: number): bigint | null {
  const votes = answers.filter(each => !isRefusal(each))
  for (const vote of votes) {
    if (vote instanceof Error) continue
    const same = votes.filter(each => each === vote).length
    if (/* guard: balance-agreed */ same * 2 > votes.length && same >= Math.min(2, nodes) /* end */) return vote
  }
  return null
}
