import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/** Positions of a value's three bits in the hex text of a bloom: index of the digit, and mask within it. */
export type BloomBits = readonly (readonly [digit: number, bit: number])[]

/** Returns the bits that a contract address or topic (hex with 0x) sets in a block's logs bloom. */
export function bloomBits(hex: string): BloomBits {
  const hash = keccak_256(hexToBytes(hex.slice(2)))
  return [0, 2, 4].map(i => {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047
    return [513 - (bit >> 2), 1 << (bit & 3)] as const
  })
}

/** Whether the value may occur in the block's logs. May give false positives, never false negatives. */
export function inBloom(bloom: string, bits: BloomBits): boolean {
  return bits.every(([digit, bit]) => (Number.parseInt(bloom[digit]!, 16) & bit) !== 0)
}

/** Whether these values set all bits of a bloom. If not, values that went into the bloom are missing. */
export function coversBloom(bloom: string, values: Iterable<string>): boolean {
  const set = new Uint8Array(bloom.length)
  for (const hex of new Set(values)) for (const [digit, bit] of bloomBits(hex)) set[digit]! |= bit
  for (let digit = 2; digit < bloom.length; digit++) {
    if ((Number.parseInt(bloom[digit]!, 16) & ~set[digit]!) !== 0) return false
  }
  return true
}

/** Number of bits set by each hex digit. */
const setBits = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [n.toString(16), (n & 1) + ((n >> 1) & 1) + ((n >> 2) & 1) + (n >> 3)]),
)

/**
 * Whether more than half of a bloom's bits are set. A value sets three bits, so more than an eighth of all other values are then
 * false positives. About 470 distinct values do this, or 240 transfers between different addresses.
 */
export function isSaturated(bloom: string): boolean {
  let bits = 0
  for (let digit = 2; digit < bloom.length; digit++) bits += setBits[bloom[digit]!] ?? 0
  return bits > 2 * (bloom.length - 2)
}
