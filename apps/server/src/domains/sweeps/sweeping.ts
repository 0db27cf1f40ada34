import type { Deps } from '../../deps.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import type { Payout } from '../../owner.ts'
import type { IsolatedRunner } from '../outgoing/alone.ts'
import type { PayableChain } from '../outgoing/sender.ts'
import type { ChosenSweepCandidate } from './choose.ts'
import type { FundedSweep, SweepPass, SweptAsset } from './pass.ts'

/**
 * How deposits are swept on a chain: what each kind of chain supplies to the one pass. The chains that it is given are
 * of its kind.
 */
export interface SweepStrategy {
  /** Whether deposits can be swept in vault mode: by delegations to a sweeper of the house that were signed before. */
  hasVault: boolean
  /** Whether tokens of leased addresses are swept many at once to an address. Absent: never. */
  canBatch?(chain: PayableChain, to: string): Promise<boolean>
  /** Returns the limit for sweeping one address, alone or with others, and what the chain charges beyond it. */
  costOf(chain: PayableChain, isToken: boolean, isBatched: boolean): Promise<{ gas: bigint; beyond: bigint }>
  /** Helps or cancels what is under way and lacks the native coin for its fee. */
  help(pass: SweepPass, alone: IsolatedRunner): Promise<void>
  /** Begins to sweep addresses, one if not batched. Returns false where something is left for the next pass. */
  sweep(pass: SweepPass, asset: SweptAsset, chosen: ChosenSweepCandidate[], isBatched: boolean): Promise<boolean>
  /** Takes the next step of a sweep. `due` reads the payouts that are due, the oldest first. */
  goOn(pass: SweepPass, sweep: FundedSweep, due: () => Promise<readonly Payout[]>): Promise<void>
  /** Takes back what ended sweeps were lent. Absent: nothing is lent. */
  takeBack?(pass: SweepPass, alone: IsolatedRunner): Promise<void>
  /**
   * Whether an amount that a payout straight from an address leaves there is not worth a sweep. Unknown prices count as
   * if it were. Absent: addresses pay no payouts.
   */
  isDust?(
    deps: Deps,
    chain: PayableChain,
    asset: { price_of: PriceSymbol; decimals: number },
    amount: bigint,
  ): Promise<boolean>
}
