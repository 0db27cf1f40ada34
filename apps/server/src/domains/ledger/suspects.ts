/** Seconds between two readings, and parts of all addresses of which each reading looks at another one: one in a hundred an hour. */
const [everySeconds, parts] = [600, 600]
/** Most addresses of a part that one reading looks at. */
export const sampledMax = 200

/** What the last reading of an asset found that may pass: kept by the caller between two readings, by asset. */
export type Suspects = Map<string, Suspect>
export interface Suspect {
  /** Addresses that held it, though no deposit is known there. */
  unseen: ReadonlySet<string>
  /** The head after they were read. */
  head: number
  /** Whether nodes did not agree on a balance. */
  isUnsure: boolean
}

const nothing: Suspect = { unseen: new Set(), head: 0, isUnsure: false }
export const suspectOf = (suspects: Suspects, assetId: string): Suspect => suspects.get(assetId) ?? nothing

/** The part of all addresses that a reading at this time looks at, and how many parts there are. */
export const partAt = (now: number): [part: number, parts: number] => [Math.floor(now / everySeconds) % parts, parts]

/**
 * Which of the addresses that hold something without a deposit did so before, when the head was no later than what is final now: what they
 * had then was in no block that is still to be read, so it was left out. The rest may not have been seen yet.
 */
export const lastingOf = ({ unseen, head }: Suspect, final: number, now: readonly string[]): string[] =>
  final >= head ? now.filter(address => unseen.has(address)) : []
