import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/** Where a value's three bits are in the bloom's hex text: index of the digit, and the bit within it. */
export type BloomBits = readonly (readonly [digit: number, bit: number])[]

/** The bits that a contract address or a topic sets in a block's logs bloom. `hex` starts with 0x. */
export function bloomBits(hex: string): BloomBits {
  const hash = keccak_256(hexToBytes(hex.slice(2)))
  return [0, 2, 4].map(i => {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047
    return [513 - (bit >> 2), 1 << (bit & 3)] as const
  })
}

/** Whether the bloom says that the value may be among the block's logs. A no is certain, a yes is not. */
export function inBloom(bloom: string, bits: BloomBits): boolean {
  return bits.every(([digit, bit]) => (Number.parseInt(bloom[digit]!, 16) & bit) !== 0)
}

/** Whether these values set all bits of a bloom. Where they do not, some that it was made from are missing. */
export function fillsBloom(bloom: string, values: Iterable<string>): boolean {
  const set = new Uint8Array(bloom.length)
  for (const hex of new Set(values)) for (const [digit, bit] of bloomBits(hex)) set[digit]! |= bit
  for (let digit = 2; digit < bloom.length; digit++) {
    if ((Number.parseInt(bloom[digit]!, 16) & ~set[digit]!) !== 0) return false
  }
  return true
}

/** Digits of a bloom by how many bits they set. */
const setBits = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [n.toString(16), (n & 1) + ((n >> 1) & 1) + ((n >> 2) & 1) + (n >> 3)]),
)

/**
 * Whether more than half of a bloom's bits are set, so that by chance alone it promises more than an eighth of all values:
 * each sets three bits. About 470 different values make it so, as 240 transfers between strangers have.
 */
export function isVague(bloom: string): boolean {
  let bits = 0
  for (let digit = 2; digit < bloom.length; digit++) bits += setBits[bloom[digit]!] ?? 0
  return bits > 2 * (bloom.length - 2)
}
