import { createSendingFor } from '../outgoing/kinds.ts'
import type { PayableChain, SendingStrategy } from '../outgoing/sender.ts'
import { evmSweepStrategy } from './evm.ts'
import type { SweepStrategy } from './sweeping.ts'
import { tronSweepStrategy } from './tron.ts'

const entries: Record<SendingStrategy['kind'], SweepStrategy> = { evm: evmSweepStrategy, tron: tronSweepStrategy }

/** Returns how deposits are swept on a chain. */
export const getSweepStrategy = (chain: PayableChain): SweepStrategy => entries[createSendingFor(chain).kind]
