import type { BlockId, RangeScan, Scan, Transfer, TransferFilter } from '../chain.ts'
import { ChainUnavailable } from '../errors.ts'
import { VOTE_TIMEOUT_MS } from './nodes.ts'

/** Finds transfers to us in blocks. */
export type Watching = {
  inBlock: (block: BlockId, filter: TransferFilter) => Promise<Scan>
  inRange: (from: number, to: number, filter: TransferFilter) => Promise<RangeScan>
}

/** One node, asked by itself. `failingSince`: since when it has not answered, null if it answered the last time. */
export type Voter = { watch: Watching; failingSince: number | null }

/**
 * Returns the transfers to us in the blocks from `from` to `last` on which most nodes agree, transaction by transaction: a transfer
 * counts when most have all of the transaction's transfers to us the same, and one that most deny does not. Null while there is no
 * majority about some transaction. A node that fails, or has other blocks, votes against for a minute. Two must agree of three.
 */
export async function agreeOn(
  voters: readonly Voter[],
  from: number,
  last: BlockId,
  filter: TransferFilter,
  now: number,
) {
  const answers = await Promise.all(
    voters.map(async voter => {
      try {
        const scan = await voter.watch.inRange(from, last.number, filter)
        voter.failingSince = null
        return scan.last.hash === last.hash ? Map.groupBy(scan.transfers, each => each.txid) : null
      } catch {
        voter.failingSince ??= now
        return now - voter.failingSince < VOTE_TIMEOUT_MS ? null : undefined
      }
    }),
  )
  const votes = answers.filter(answer => answer !== undefined)
  const told = votes.filter(answer => answer !== null)
  if (told.length === 0) throw new ChainUnavailable('no node has these blocks')
  const transfers: Transfer[] = []
  for (const txid of new Set(told.flatMap(answer => [...answer.keys()]))) {
    const versions = told.map(answer => answer.get(txid) ?? [])
    const isMost = (version: Transfer[]) => {
      const same = versions.filter(each => textOf(each) === textOf(version)).length
      return same * 2 > votes.length && (same > 1 || voters.length < 3)
    }
    const version = versions.find(isMost)
    if (!version) return null
    transfers.push(...version)
  }
  // Blocks without transfers to us must be agreed on too: most nodes have to have answered at all.
  if (told.length * 2 <= votes.length || (told.length < 2 && voters.length > 2)) return null
  return transfers.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

const textOf = (transfers: readonly Transfer[]) =>
  transfers
    .map(each => [each.blockHash, each.token, each.ordinal, each.to, each.amount, each.blockTime].join(' '))
    .join()
