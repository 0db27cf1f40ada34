import { BlockOrphaned, ChainUnavailable, ResponseTooLarge } from '../errors.ts'
import type { Random } from './random.ts'

/** Faults of the fake's nodes: probabilities per call (0 to 1), except for the last two. */
export type Faults = {
  /** Connection failed or response truncated. */
  error: number
  /** Request timed out. Nothing waits: `onHang` lets a simulation advance its clock. */
  hang: number
  /** Block hash unknown to the node. */
  orphaned: number
  /** Range refused as too large. */
  tooLarge: number
  /** Blocks by which all nodes lag. */
  behind: number
  /** Most additional blocks by which the answering node may lag. */
  lag: number
}

export const NO_FAULTS: Faults = { error: 0, hang: 0, orphaned: 0, tooLarge: 0, behind: 0, lag: 0 }

/** Throws at random, as any call to a node may. */
export function injectFault(faults: Faults, random: Random, onHang: () => void): void {
  if (random.chance(faults.hang)) {
    onHang()
    throw new ChainUnavailable('timed out')
  }
  if (random.chance(faults.error)) throw new ChainUnavailable('truncated response')
}

/** Throws at random an error that is specific to some calls. */
export function injectCallFault(what: 'orphaned' | 'tooLarge', faults: Faults, random: Random): void {
  if (!random.chance(faults[what])) return
  throw what === 'orphaned' ? new BlockOrphaned('unknown block') : new ResponseTooLarge('the range is too large')
}
