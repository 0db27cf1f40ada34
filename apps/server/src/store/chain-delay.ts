import { allChains, type ChainRow } from './chains.ts'
import type { Queryable } from './db.ts'

/** Seconds, or as many of a chain's blocks, after which people are told that it takes longer. */
const patience = { seconds: 60, blocks: 5 }

/** What tells whether a chain is read in time. */
export type Reading = Pick<ChainRow, 'definition' | 'halted' | 'read_at' | 'last_number' | 'head_number'>

/** Whether nodes do not answer, what they have is not read yet, or a person must decide first. `now` is in unix seconds. */
export function isDelayed({ definition, halted, read_at, last_number, head_number }: Reading, now: number): boolean {
  const longest = Math.max(patience.seconds, patience.blocks * definition.blockTime)
  const unread = (head_number - (last_number ?? head_number)) * definition.blockTime
  return halted !== null || now - read_at > longest || unread > longest
}

/** Names of the chains in use that are read with a delay. */
export async function delayedChains(c: Queryable, now: number): Promise<string[]> {
  const chains = (await allChains(c)).filter(chain => chain.enabled && isDelayed(chain, now))
  return chains.map(chain => chain.definition.name)
}
