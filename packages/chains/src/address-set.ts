import type { TransferFilter } from './chain.ts'

/** Width of the bitmap's index; the bitmap takes 2 MB. */
const BITS = 24
const DIGITS = BITS / 4

/**
 * A set of addresses in the stored form, for lookups that mostly miss. A Set would slice and hash the text of each
 * candidate; here the last six digits, read in place and looked up in a bitmap, reject nearly all of them.
 */
export class AddressSet {
  readonly #addresses = new Set<string>()
  readonly #bitmap = new Uint8Array(2 ** BITS / 8)

  constructor(addresses: Iterable<string> = []) {
    for (const address of addresses) this.add(address)
  }

  get size(): number {
    return this.#addresses.size
  }

  /** Adds an address in the stored form. Any text works; the bitmap is meant for lower-case hex. */
  add(address: string): void {
    this.#addresses.add(address)
    const index = indexOf(address)
    this.#bitmap[index >> 3]! |= 1 << (index & 7)
  }

  /** Whether the address is in the set. */
  has(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** Returns false if no address of the set ends in these 24 bits. May give false positives. */
  mayHave(tail: number): boolean {
    return (this.#bitmap[tail >> 3]! & (1 << (tail & 7))) !== 0
  }

  /** Returns a filter for transfers to these addresses, including those added later. */
  filter(tokens: readonly string[], native: boolean): TransferFilter {
    return { tokens, native, isOurs: address => this.has(address), mayBeOurs: tail => this.mayHave(tail) }
  }
}

/** Parses the last `DIGITS` hex digits of an address. */
function indexOf(address: string): number {
  let index = 0
  for (let i = address.length - DIGITS; i < address.length; i++) {
    const code = address.charCodeAt(i)
    // The low four bits of '0' to '9' are 0 to 9, those of 'a' to 'f' are 1 to 6.
    index = (index << 4) | ((code & 15) + (code > 57 ? 9 : 0))
  }
  return index & (2 ** BITS - 1)
}
