import type { Queryable } from '../../kit/db.ts'
import { allChains, type ChainRow } from './store.ts'

/** Seconds, or as many of a chain's blocks, after which people are told that it takes longer. */
const patience = { seconds: 60, blocks: 5 }

/** What tells whether a chain is read in time. */
export type Reading = Pick<ChainRow, 'definition' | 'halted' | 'read_at' | 'last_number' | 'last_time' | 'head_number'>

/** A person must decide first; no node answers; what nodes have is not read yet; what they have is old itself. */
export type Delay = 'halted' | 'silent' | 'unread' | 'still'

/** Why a chain is not read in time, or null when it is. `now` is in unix seconds. */
export function delayOf(reading: Reading, now: number): Delay | null {
  const { definition, halted, read_at, last_number, last_time, head_number } = reading
  const longest = Math.max(patience.seconds, patience.blocks * definition.blockTime)
  if (halted !== null) return 'halted'
  if (now - read_at > longest) return 'silent'
  if ((head_number - (last_number ?? head_number)) * definition.blockTime > longest) return 'unread'
  // In the sandbox nobody makes blocks but its user.
  return definition.net !== 'sandbox' && now - last_time > longest ? 'still' : null
}

/** Whether people are told that a chain is read with a delay. `now` is in unix seconds. */
export const isDelayed = (reading: Reading, now: number): boolean => delayOf(reading, now) !== null

/** Names of the chains in use that are read with a delay. */
export async function delayedChains(c: Queryable, now: number): Promise<string[]> {
  const chains = (await allChains(c)).filter(chain => chain.enabled && isDelayed(chain, now))
  return chains.map(chain => chain.definition.name)
}
