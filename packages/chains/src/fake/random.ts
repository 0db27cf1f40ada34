/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next: () => number
  /** A whole number from 0 up to, not including, `below`. */
  below: (below: number) => number
  /** Whether something of this probability (0 to 1) happens. */
  chance: (probability: number) => boolean
  /** A 32-byte hash that was not given before. */
  hash: () => string
}

/** A generator of its own for every seed (any 32-bit number). */
export function seeded(seed: number): Random {
  // A Weyl sequence through two rounds of multiply and shift: small, even, and good enough to choose with.
  let state = seed >>> 0
  const word = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
  const next = () => word() / 2 ** 32
  return {
    next,
    below: below => Math.floor(next() * below),
    chance: probability => probability > 0 && next() < probability,
    hash: () => `0x${Array.from({ length: 8 }, () => word().toString(16).padStart(8, '0')).join('')}`,
  }
}
