import { AddressSet, type ChainDefinition, type TransferFilter } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import { addressCount, addressesFrom } from '../addresses/store.ts'

/** How many addresses are known before they are given out, so that new ones seldom interrupt the reading of blocks. */
const lookAhead = 200

/** Addresses read from the store in one go. */
const page = 50_000

/**
 * The addresses of one kind of chain, in memory: those given out and the next ones of the key tree. Blocks are read with
 * it, and a block counts only when every address somebody may have been shown was in it (see applyBlocks).
 */
export class AddressBook {
  readonly #deps: Deps
  readonly #kind: ChainDefinition['kind']
  readonly #addresses = new AddressSet()
  #upTo = 0

  constructor(deps: Deps, kind: ChainDefinition['kind']) {
    this.#deps = deps
    this.#kind = kind
  }

  /** All addresses below this index are known. */
  get upTo(): number {
    return this.#upTo
  }

  /** A filter for transfers to these addresses, those learnt later included. */
  filter(tokens: readonly string[], native: boolean): TransferFilter {
    return this.#addresses.filter(tokens, native)
  }

  /** Learns what was given out since, and looks ahead. */
  async refresh(): Promise<void> {
    const count = await addressCount(this.#deps.pool, this.#kind)
    if (this.#upTo === 0) await this.#load(count)
    if (count + lookAhead / 2 <= this.#upTo) return
    for (let index = this.#upTo; index < count + lookAhead; index++) {
      this.#addresses.add(this.#deps.addressAt(this.#kind, index))
    }
    this.#upTo = count + lookAhead
  }

  /** Reads what was given out before, instead of deriving it again. Indexes that the store lacks are derived. */
  async #load(count: number): Promise<void> {
    let next = 0
    while (next < count) {
      const rows = await addressesFrom(this.#deps.pool, this.#kind, next, page)
      for (const { address, key_index } of rows) {
        for (; next < key_index; next++) this.#addresses.add(this.#deps.addressAt(this.#kind, next))
        this.#addresses.add(address)
        next = key_index + 1
      }
      if (rows.length < page) break
    }
    for (; next < count; next++) this.#addresses.add(this.#deps.addressAt(this.#kind, next))
    this.#upTo = count
  }
}
