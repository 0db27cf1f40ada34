import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const FORM = /^0x[0-9a-fA-F]{40}$/
const ZERO = `0x${'0'.repeat(40)}`

/**
 * Parses an address. Mixed case must match the checksum (EIP-55); a single case carries no checksum.
 * @returns the address in lower case, or null if it is invalid or the zero address
 */
export function parseEvmAddress(text: string): string | null {
  if (!FORM.test(text)) return null
  const address = text.toLowerCase()
  if (address === ZERO) return null
  const digits = text.slice(2)
  const cased = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return cased && formatEvmAddress(address) !== text ? null : address
}

/** Cache of checksummed addresses: lists show the same contracts and leased addresses repeatedly. */
const cache = new Map<string, string>()
let cacheMax = 4_000

/** Formats a lower-case address with its checksum (EIP-55). */
export function formatEvmAddress(address: string): string {
  const cached = cache.get(address)
  if (cached !== undefined) return cached
  const shown = withChecksum(address)
  if (cache.size >= cacheMax) cache.clear()
  cache.set(address, shown)
  return shown
}

let hash: (digits: Uint8Array) => Uint8Array = keccak_256

/**
 * Computes checksums with WebAssembly from now on: 0.7 instead of 4.2 µs each. Called where millions of addresses are
 * formatted, by exports, and where the module is loaded anyway, by chains that are read.
 */
export async function enableFastChecksums(): Promise<void> {
  const { fastKeccakReady, keccak } = await import('./keccak.ts')
  await fastKeccakReady
  // Entries of a large cache live long enough to cost the garbage collector more than the hashes.
  cacheMax = 100
  hash = keccak
}

function withChecksum(address: string): string {
  const digits = Buffer.from(address.slice(2), 'latin1')
  const bits = hash(digits)
  for (let i = 0; i < digits.length; i++) {
    const raised = (bits[i >> 1]! >> (i % 2 ? 0 : 4)) & 8
    if (raised && digits[i]! >= lowerA) digits[i]! -= 32
  }
  return `0x${digits.toString('latin1')}`
}
const lowerA = 0x61

/** Returns the address of a secp256k1 public key, compressed or not, in the stored form. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const uncompressed = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
  return `0x${bytesToHex(keccak_256(uncompressed.subarray(1)).subarray(12))}`
}
