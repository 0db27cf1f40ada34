/** A deterministic source of pseudo-random numbers. */
export type Random = {
  /** Returns a number in [0, 1). */
  next: () => number
  /** Returns an integer in [0, below). */
  below: (below: number) => number
  /** Returns true with this probability (0 to 1). */
  chance: (probability: number) => boolean
  /** Returns a unique 32-byte hash. */
  hash: () => string
}

/** Creates a generator from a 32-bit seed. */
export function createSeededRandom(seed: number): Random {
  // A Weyl sequence mixed by two rounds of multiply and xorshift: small, uniform and good enough for tests.
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
