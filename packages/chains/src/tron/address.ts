import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
/** First byte of every mainnet address; in base58check it makes the text begin with T. */
const PREFIX = 0x41
const ZERO = `0x${'0'.repeat(40)}`

/**
 * Parses a base58check address (T and 33 more characters). Hex forms are refused: wallets do not show them.
 * @returns the 20 bytes as lower-case hex with 0x, or null if the text or its checksum is invalid
 */
export function parseTronAddress(text: string): string | null {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return null
  try {
    const bytes = base58check.decode(text)
    if (bytes.length !== 21 || bytes[0] !== PREFIX) return null
    const address = `0x${bytesToHex(bytes.subarray(1))}`
    return address === ZERO ? null : address
  } catch {
    return null
  }
}

/** Formats a stored address (0x and 40 hex digits) as base58check. */
export function formatTronAddress(address: string): string {
  return base58check.encode(Uint8Array.from([PREFIX, ...hexToBytes(address.slice(2))]))
}

/** Formats a stored address for the HTTP API. */
export function toTronHexAddress(address: string): string {
  return `41${address.slice(2)}`
}
