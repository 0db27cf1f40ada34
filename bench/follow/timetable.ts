import type { ChainDefinition } from '@coffer/chains'
import type { Rate } from './rates.ts'

/** Seconds before the measurement, in which the server catches up and its code is compiled, and of the measurement. */
export const warmSeconds = 60
export const measuredSeconds = 180
/** When each of the three nodes has a block, after the first one (ms), and how long each takes to answer (ms). */
export const [lags, answerMs] = [[0, 80, 200], 30] as const

/**
 * Heights of a chain. Up to `start` blocks are empty and there from the beginning. At the start as many blocks as
 * confirmations appear at once, so that deposits in them are credited within the measurement, and then one after the
 * other.
 */
export function timetableOf({ confirmations }: ChainDefinition, { blockTime }: Rate) {
  const start = confirmations + 2
  const caughtUp = start + confirmations
  const last = caughtUp + Math.ceil((warmSeconds + measuredSeconds) / blockTime)
  return {
    start,
    last,
    /** When the first node has a block (ms after the start). */
    appears: (number: number) =>
      number <= start ? Number.NEGATIVE_INFINITY : Math.max(0, number - caughtUp) * blockTime * 1_000,
    /** The highest block that appears within this time (ms after the start). */
    highest: (ms: number) => (ms < 0 ? start : Math.min(last, caughtUp + Math.floor(ms / (blockTime * 1_000) + 1e-6))),
  }
}

/** The block of a deposit whose last confirmation is the first block after this time (ms after the start). */
export function blockConfirmedAt(definition: ChainDefinition, rate: Rate, ms: number): number {
  return timetableOf(definition, rate).highest(ms) + 1 - definition.confirmations + 1
}
