import type { TransferFilter } from './chain.ts'

/** Bits of the table by which most addresses are told to be others' without looking them up: 2 MB. */
const BITS = 24
/** Hex digits that give so many bits. */
const DIGITS = BITS / 4

/**
 * Many addresses in the stored form, made for asking mostly about those that are not in it. A Set must make and hash
 * the whole text of each; here six digits where they stand, looked up in a table of bits, nearly always say no.
 */
export class AddressSet {
  readonly #addresses = new Set<string>()
  readonly #table = new Uint8Array(2 ** BITS / 8)

  constructor(addresses: Iterable<string> = []) {
    for (const address of addresses) this.add(address)
  }

  get size(): number {
    return this.#addresses.size
  }

  /** Adds an address in the stored form. Any text will do; the table is made for lower-case hex. */
  add(address: string): void {
    this.#addresses.add(address)
    const place = placeOf(address)
    this.#table[place >> 3]! |= 1 << (place & 7)
  }

  /** Whether the address is in the set. */
  has(address: string): boolean {
    return this.#addresses.has(address)
  }

  /** False only when no address of the set ends like this hex text. True proves nothing. */
  mayHave(hex: string): boolean {
    const place = placeOf(hex)
    return (this.#table[place >> 3]! & (1 << (place & 7))) !== 0
  }

  /** A filter for transfers to these addresses, also to those added later. */
  filter(tokens: readonly string[], native: boolean): TransferFilter {
    return { tokens, native, isOurs: address => this.has(address), mayBeOurs: hex => this.mayHave(hex) }
  }
}

/** The number that the last digits of an address stand for. */
function placeOf(address: string): number {
  let place = 0
  for (let i = address.length - DIGITS; i < address.length; i++) {
    const code = address.charCodeAt(i)
    // The lower bits of '0' to '9' are their values; those of 'a' to 'f' are one to six.
    place = (place << 4) | ((code & 15) + (code > 57 ? 9 : 0))
  }
  return place & (2 ** BITS - 1)
}
