import type { ChainDefinition } from '@coffer/chains'
import type pg from 'pg'
import type { Deps } from '../../deps.ts'
import { deleteIndexRanges, indexRangeSeconds, takeKeyIndexRange } from './store.ts'

type Kind = ChainDefinition['kind']

/** Indexes that a process takes at once. With those left, it never skips 20, where standard wallets stop looking. */
const rangeSize = 12
/** Indexes left when the next range is taken. */
const rangeLow = 4

/** An index of the key tree, and when its range was taken (Unix seconds). */
export interface ReservedKeyIndex {
  index: number
  at: number
}

interface Range {
  /** Lowest last. */
  unused: ReservedKeyIndex[]
  taking: Promise<void> | undefined
}
const ranges = new WeakMap<pg.Pool, Map<Kind, Range>>()

/**
 * Returns an index of the key tree that no other call and no other process gets. The counter is raised before, so that
 * its readers know the address.
 */
export async function reserveKeyIndex(deps: Deps, kind: Kind): Promise<ReservedKeyIndex> {
  const range = rangeOf(deps, kind)
  for (;;) {
    const oldest = deps.clock() - indexRangeSeconds
    while (range.unused.length > 0 && range.unused.at(-1)!.at <= oldest) range.unused.pop()
    const found = range.unused.pop()
    if (range.unused.length < rangeLow) range.taking ??= take(deps, kind, range)
    if (found) {
      range.taking?.catch(() => {})
      return found
    }
    await range.taking
  }
}

/** Returns an index that was not used after all. */
export const returnUnusedKeyIndex = (deps: Deps, kind: Kind, unused: ReservedKeyIndex): void =>
  void rangeOf(deps, kind).unused.push(unused)

function rangeOf({ pool }: Deps, kind: Kind): Range {
  const kinds = ranges.get(pool) ?? new Map<Kind, Range>()
  ranges.set(pool, kinds)
  const range = kinds.get(kind) ?? { unused: [], taking: undefined }
  kinds.set(kind, range)
  return range
}

async function take(deps: Deps, kind: Kind, range: Range): Promise<void> {
  try {
    const at = deps.clock()
    const first = await takeKeyIndexRange(deps.pool, kind, rangeSize, at)
    deps.addressMark.raise(kind, first + rangeSize)
    const indexes = Array.from({ length: rangeSize }, (_, i) => ({ index: first + rangeSize - 1 - i, at }))
    range.unused.unshift(...indexes)
  } finally {
    range.taking = undefined
  }
}

/** Deletes ranges that no process uses any more. Returns their number. */
export const deleteExpiredIndexRanges = ({ pool, clock }: Deps): Promise<number> =>
  deleteIndexRanges(pool, clock() - 24 * indexRangeSeconds)
