import { setImmediate } from 'node:timers/promises'
import { AddressSet, type ChainDefinition, type TransferFilter } from '@coffer/chains'
import type { Deps } from '../../deps.ts'
import {
  indexRangeSeconds,
  listAddressesFromIndex,
  listUnusedKeyIndexes,
  readAddressSummary,
} from '../addresses/store.ts'
import { AddressLookAhead } from './address-look-ahead.ts'

/** Addresses loaded from the store per query. */
const page = 50_000
/** Addresses derived before other work has its turn. */
const atOnce = 200

/**
 * The addresses of one chain kind, in memory: those given out, the next ones of the key tree, and the house's, to which
 * sweeps go. They form the filter for reading blocks. A block is applied only if the filter held every address given
 * out so far (see applyBlocks).
 */
export class WatchedAddressSet {
  readonly #deps: Deps
  readonly #kind: ChainDefinition['kind']
  readonly #addresses = new AddressSet()
  readonly #lookAhead = new AddressLookAhead()
  #upTo = 0
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(deps: Deps, kind: ChainDefinition['kind']) {
    this.#deps = deps
    this.#kind = kind
  }

  /** All addresses below this index are known. */
  get upTo(): number {
    return this.#upTo
  }

  /** Time since the last refresh. */
  get ageMs(): number {
    return performance.now() - this.#refreshedAt
  }

  /** A filter for transfers to these addresses, including addresses added later. */
  filter(tokens: readonly string[], native: boolean): TransferFilter {
    return this.#addresses.filter(tokens, native)
  }

  /** Adds the addresses given out since the last refresh, and the look-ahead. */
  async refresh(): Promise<void> {
    const { count, house } = await readAddressSummary(this.#deps.pool, this.#kind)
    this.#refreshedAt = performance.now()
    for (const address of house) this.#addresses.add(address)
    if (this.#upTo === 0) await this.#load(count)
    const lookAhead = this.#lookAhead.next(count, this.#refreshedAt / 1_000)
    if (count + lookAhead / 2 <= this.#upTo) return
    while (this.#upTo < count + lookAhead) {
      const next = Math.min(this.#upTo + atOnce, count + lookAhead)
      for (let index = this.#upTo; index < next; index++) this.#addresses.add(this.#deps.addressAt(this.#kind, index))
      this.#upTo = next
      await setImmediate()
    }
  }

  /**
   * Loads stored addresses instead of deriving them. Of the indexes missing from the store, those in ranges of running
   * processes may be given out later. All others were skipped.
   */
  async #load(count: number): Promise<void> {
    const { pool, addressAt, clock } = this.#deps
    // Twice as long, because the clocks of processes differ. Read first: what is given out meanwhile is in the store.
    for (const { index } of await listUnusedKeyIndexes(pool, this.#kind, clock() - 2 * indexRangeSeconds))
      this.#addresses.add(addressAt(this.#kind, index!))
    let next = 0
    while (next < count) {
      const rows = await listAddressesFromIndex(this.#deps.pool, this.#kind, next, page)
      for (const { address, key_index } of rows) {
        this.#addresses.add(address)
        next = key_index + 1
      }
      if (rows.length < page) break
    }
    this.#upTo = count
  }
}
