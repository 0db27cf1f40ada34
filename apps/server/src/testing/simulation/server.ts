import { type Chain, type ChainDefinition, type ChainView, chainAdapters } from '@coffer/chains'
import type pg from 'pg'
import type { Deps } from '../../deps.ts'
import { decideHeldDeposits } from '../../domains/deposits/decide-held-deposits.ts'
import { type BalanceReading, findNativeDeposits } from '../../domains/deposits/find-native-deposits.ts'
import { followUntilHalted } from '../../domains/deposits/follow.ts'
import { OutOfOrder } from '../../domains/deposits/out-of-order.ts'
import { watchSiblings } from '../../domains/deposits/watch-siblings.ts'
import { clearKindCache } from '../../domains/destinations/known-addresses.ts'
import { runSendingPass } from '../../domains/outgoing/jobs.ts'
import type { PayoutRefusals } from '../../domains/outgoing/pay-due.ts'
import { type CoinReading, watchCoin } from '../../domains/outgoing/watch-coin.ts'
import { refundOwner } from '../../domains/refunds/owner.ts'
import { sweepOwner } from '../../domains/sweeps/owner.ts'
import { sendAboveFloatToTreasury } from '../../domains/sweeps/send-above-float-to-treasury.ts'
import { sweepChain } from '../../domains/sweeps/sweep-chain.ts'
import { withdrawalOwner } from '../../domains/withdrawals/owner.ts'
import { makePrices } from '../../outside/prices/prices.ts'
import type { OutgoingOwners } from '../../owner.ts'
import { makeTestDeps } from '../deps.ts'
import { MortalPool } from './crash.ts'
import { addressAt } from './sim-signer.ts'
import type { Turns } from './turns.ts'

/** Environment of a server process. */
export type Surroundings = {
  pool: pg.Pool
  owner: pg.Pool
  turns: Turns
  /** Adds a line to the log of the seed. */
  note: (what: string) => void
  signer: Deps['signer']
  tronEnergy: string
  definitions: readonly ChainDefinition[]
  endpoints: (chainId: string) => { url: string; urls: { http: string } }[]
  clock: () => number
  /** Clock in milliseconds for the back-off of failing nodes. */
  ms: () => number
  passMs: (ms: number) => void
}

/** Limits of withdrawals, in USDT: low, so that seeds reach them. */
export const limits = { withdrawSingleMax: 60, withdrawDayMax: 90, withdrawApprovalAbove: 30 }

class Enough extends Error {}

/** Maximum number of restarts in one call of `follow`. More indicate that it makes no progress. */
const beginningsMax = 25

/** One server process with its own dependencies. */
export class Server {
  readonly deps: Deps
  readonly mortal: MortalPool
  readonly #around: Surroundings
  readonly #refusals: PayoutRefusals = new Map()
  readonly #readings = new Map<string, BalanceReading[]>()
  readonly #coins = new Map<string, CoinReading | null>()

  constructor(around: Surroundings) {
    this.#around = around
    // A process that starts has read nothing yet.
    clearKindCache()
    this.mortal = new MortalPool(around)
    const chains = around.definitions.map((each): [string, ChainView] => [
      each.id,
      chainAdapters[each.kind].open(each, {
        endpoints: around.endpoints(each.id),
        now: around.ms,
        sleep: async ms => around.passMs(ms),
        timeoutMs: 10_000,
      }),
    ])
    const { pool } = this.mortal
    const base = makeTestDeps({
      pool,
      clock: around.clock,
      addressAt,
      chains: new Map(chains),
      signer: around.signer,
      config: { mode: 'sandbox', tronEnergy: around.tronEnergy, ...limits },
    })
    this.deps = { ...base, prices: makePrices(pool, around.clock, [], base.log) }
  }

  chain(id: string): Chain {
    return this.deps.chains.get(id) as Chain
  }

  /** Looks for native coin that blocks do not list, like the background job. */
  async findCoin(id: string): Promise<void> {
    const readings = this.#readings.get(id) ?? []
    this.#readings.set(id, readings)
    await findNativeDeposits(this.deps, this.chain(id), readings)
  }

  /** Decides held deposits, and reports those of siblings that wait for an operator, like the background job. */
  async decideHeld(id: string): Promise<void> {
    await decideHeldDeposits(this.deps, this.chain(id))
    await watchSiblings(this.deps, this.chain(id).definition)
  }

  /** One pass of the engine of payouts over a chain, like the background job. */
  async send(id: string): Promise<void> {
    await runSendingPass(this.deps, this.chain(id), this.#owners(), this.#refusals)
  }

  /** Moves what the hot wallet does not need to the treasury, like the background job. */
  async keepFloat(id: string): Promise<void> {
    await sendAboveFloatToTreasury(this.deps, this.chain(id), this.#owners())
  }

  /** Sweeps a chain, like the background job. */
  async sweep(id: string): Promise<void> {
    await sweepChain(this.deps, this.chain(id), this.#owners())
  }

  /** Compares the native coin of wallets, like the background job: on TRON at last with what was read before. */
  async watchCoin(id: string): Promise<void> {
    this.#coins.set(id, await watchCoin(this.deps, this.chain(id), this.#coins.get(id)))
  }

  #owners(): OutgoingOwners {
    const { deps } = this
    return { withdrawal: withdrawalOwner(deps), refund: refundOwner(deps), sweep: sweepOwner(deps) }
  }

  /**
   * Follows a chain like the background job, until it is up to date or its nodes have failed `patience` times.
   * @param fence the number of its lease, which ends following when another process has leased the chain; not checked
   *   when omitted
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
        return await followUntilHalted(this.deps, this.chain(id), {
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
