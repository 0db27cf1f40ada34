import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

const FORM = /^0x[0-9a-fA-F]{40}$/
const ZERO = `0x${'0'.repeat(40)}`

/**
 * Reads an address. Mixed case must be the right checksum (EIP-55); all lower or all upper case has none to check.
 * @returns the address in lower case, or null when it is not one; the zero address is not one to pay to
 */
export function parseEvmAddress(text: string): string | null {
  if (!FORM.test(text)) return null
  const address = text.toLowerCase()
  if (address === ZERO) return null
  const digits = text.slice(2)
  const cased = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return cased && showEvmAddress(address) !== text ? null : address
}

/** Checksums that were worked out lately: lists show the same contracts and leased addresses over and over. */
const shownBefore = new Map<string, string>()
const shownMax = 20_000

/** Writes a lower-case address with its checksum (EIP-55). */
export function showEvmAddress(address: string): string {
  const before = shownBefore.get(address)
  if (before !== undefined) return before
  const shown = withChecksum(address)
  if (shownBefore.size >= shownMax) shownBefore.clear()
  shownBefore.set(address, shown)
  return shown
}

function withChecksum(address: string): string {
  const digits = address.slice(2)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  let shown = '0x'
  for (let i = 0; i < digits.length; i++) shown += hash[i]! >= '8' ? digits[i]!.toUpperCase() : digits[i]!
  return shown
}

/** The stored form of the address that belongs to a public key of secp256k1, compressed or not. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const whole = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
  return `0x${bytesToHex(keccak_256(whole.subarray(1)).subarray(12))}`
}
