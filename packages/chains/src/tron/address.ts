import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'

const base58check = createBase58check(sha256)
/** First byte of every address of the main network; it makes the text begin with T. */
const PREFIX = 0x41
const ZERO = `0x${'0'.repeat(40)}`

/**
 * Reads an address in the form that wallets show (T and 33 more). The hex forms are not taken: nobody is shown them.
 * @returns the 20 bytes as lower-case hex with 0x, or null when the text or its checksum is wrong
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

/** Writes a stored address (0x and 40 hex digits) as wallets show it. */
export function showTronAddress(address: string): string {
  return base58check.encode(Uint8Array.from([PREFIX, ...hexToBytes(address.slice(2))]))
}
