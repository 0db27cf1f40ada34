import type { ChainDefinition, ChainView } from '@coffer/chains'
import { EvmChain } from '@coffer/chains/evm/chain.ts'
import type pg from 'pg'
import type { Deps } from '../../deps.ts'
import { followOnce } from '../../domains/deposits/follow.ts'
import { OutOfOrder } from '../../domains/deposits/out-of-order.ts'
import { makePrices } from '../../outside/prices/prices.ts'
import { makeTestDeps } from '../deps.ts'
import { addressAt } from '../money.ts'
import { MortalPool } from './crash.ts'
import type { Turns } from './turns.ts'

/** Environment of a server process. */
export type Surroundings = {
  pool: pg.Pool
  owner: pg.Pool
  turns: Turns
  /** Adds a line to the log of the seed. */
  note: (what: string) => void
  definitions: readonly ChainDefinition[]
  endpoints: (chainId: string) => { url: string }[]
  clock: () => number
  /** Clock in milliseconds for the back-off of failing nodes. */
  ms: () => number
  passMs: (ms: number) => void
}

class Enough extends Error {}

/** Maximum number of restarts in one call of `follow`. More indicate that it makes no progress. */
const beginningsMax = 25

/** One server process with its own dependencies. */
export class Server {
  readonly deps: Deps
  readonly mortal: MortalPool
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
    this.mortal = new MortalPool(around)
    const chains = around.definitions.map((each): [string, ChainView] => [
      each.id,
      new EvmChain(each, {
        endpoints: around.endpoints(each.id),
        chainId: each.chainId,
        now: around.ms,
        timeoutMs: 10_000,
      }),
    ])
    const { pool } = this.mortal
    const base = makeTestDeps({
      pool,
      clock: around.clock,
      addressAt,
      chains: new Map(chains),
      config: { mode: 'sandbox' },
    })
    this.deps = { ...base, prices: makePrices(pool, around.clock, [], base.log) }
  }

  chain(id: string): ChainView {
    return this.deps.chains.get(id)!
  }

  /**
   * Follows a chain like the background job, until it is up to date or its nodes have failed `patience` times.
   * @param fence the number of its lease, which ends following when another process has leased the chain; not checked when omitted
   */
  async follow(id: string, { patience = 6, fence }: { patience?: number; fence?: number } = {}): Promise<void> {
    for (let beginnings = 0; ; beginnings++) {
      if (beginnings > beginningsMax) throw new Error(`${id} is begun again and again`)
      let troubles = 0
      const wait = async (why: string) => {
        if (why === 'tip' || why === 'behind' || ++troubles > patience) throw new Enough()
        this.#around.passMs(2_000)
      }
      try {
        return await followOnce(this.deps, this.chain(id), {
          wait,
          applied: () => {},
          ...(fence !== undefined && { fence }),
        })
      } catch (error) {
        if (error instanceof Enough) return
        if (!(error instanceof OutOfOrder)) throw error
        if (fence !== undefined) return
      }
    }
  }
}
