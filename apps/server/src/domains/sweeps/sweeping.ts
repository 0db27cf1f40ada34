import type { Payout } from '../../owner.ts'
import type { Alone } from '../outgoing/alone.ts'
import type { Sender } from '../outgoing/sender.ts'
import type { Chosen } from './choose.ts'
import type { Funded, Pass, SweptAsset } from './pass.ts'
import type { Candidate } from './store.ts'

/** How deposits are swept on a chain: what each kind of chain supplies to the one pass. */
export interface Sweeping<Of extends Sender> {
  /** Whether deposits can be swept in vault mode: by delegations to a sweeper of the house that were signed before. */
  hasVault: boolean
  /** Helps or cancels what is under way and lacks the native coin for its fee. */
  help(pass: Pass<Of>, alone: Alone): Promise<void>
  /** Returns the ways in which addresses of an asset are swept. */
  ways(pass: Pass<Of>, asset: SweptAsset): Promise<Way[]>
  /** Takes the next step of a sweep. `due` reads the payouts that are due, the oldest first. */
  goOn(pass: Pass<Of>, sweep: Funded, due: () => Promise<readonly Payout[]>): Promise<void>
  /** Takes back what ended sweeps were lent. */
  takeBack(pass: Pass<Of>, alone: Alone): Promise<void>
}

export interface Way {
  /** Most addresses at once. */
  most: number
  takes(candidate: Candidate): boolean
  /** What an address costs at most, in base units of the native coin. */
  cost(): Promise<bigint>
  /** Begins to sweep addresses. Returns false where something is left for the next pass. */
  sweep(chosen: Chosen[]): Promise<boolean>
}
