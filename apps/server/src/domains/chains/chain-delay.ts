import type { Queryable } from '../../kit/db.ts'
import { allChains, type ChainRow } from './store.ts'

/** A chain is delayed after this many seconds, or this many of its blocks if that is longer. */
const threshold = { seconds: 60, blocks: 5 }

/** How far a chain is read. */
export type ChainProgress = Pick<
  ChainRow,
  'definition' | 'halted' | 'read_at' | 'last_number' | 'last_time' | 'head_number'
>

/**
 * halted until the operator decides; too few nodes answer, or answer the same; blocks not read yet; nodes without new
 * blocks
 */
export type ChainDelay = 'halted' | 'unreachable' | 'behind' | 'stalled'

/** Returns why a chain is delayed, or null when it is not. `now` is in Unix seconds. */
export function findChainDelay(progress: ChainProgress, now: number): ChainDelay | null {
  const { definition, halted, read_at, last_number, last_time, head_number } = progress
  const max = Math.max(threshold.seconds, threshold.blocks * definition.blockTime)
  if (halted !== null) return 'halted'
  if (now - read_at > max) return 'unreachable'
  if ((head_number - (last_number ?? head_number)) * definition.blockTime > max) return 'behind'
  // A sandbox chain has new blocks only when its user makes them.
  return definition.net !== 'sandbox' && now - last_time > max ? 'stalled' : null
}

/** Returns the names of enabled chains that are delayed. */
export async function delayedChains(c: Queryable, now: number): Promise<string[]> {
  const chains = (await allChains(c)).filter(chain => chain.enabled && findChainDelay(chain, now))
  return chains.map(chain => chain.definition.name)
}
