import { BlockGone, ChainUnavailable, TooLarge } from '../errors.ts'
import type { Random } from './random.ts'

/** How the fake's nodes misbehave. All are probabilities per call (0 to 1), except the last two. */
export type Faults = {
  /** The connection fails, or the answer is cut. */
  error: number
  /** No answer within the time limit. Nothing waits: `onHang` lets a simulation move its own clock. */
  hang: number
  /** A node without the block that was asked for by its hash. */
  gone: number
  /** A range refused as too large. */
  tooMuch: number
  /** Blocks by which every node is behind. */
  behind: number
  /** The most further blocks by which the node that answers may be behind. */
  lag: number
}

export const NO_FAULTS: Faults = { error: 0, hang: 0, gone: 0, tooMuch: 0, behind: 0, lag: 0 }

/** Rejects now and then, as nodes do. */
export function misbehave(faults: Faults, random: Random, onHang: () => void): void {
  if (random.chance(faults.hang)) {
    onHang()
    throw new ChainUnavailable('no answer in time')
  }
  if (random.chance(faults.error)) throw new ChainUnavailable('the answer was cut')
}

/** Rejects now and then with what only some calls are answered with. */
export function misbehaveOn(what: 'gone' | 'tooMuch', faults: Faults, random: Random): void {
  if (!random.chance(faults[what])) return
  throw what === 'gone' ? new BlockGone('unknown block') : new TooLarge('the range is too large')
}
