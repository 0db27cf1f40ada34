import { sendingOn } from '../outgoing/kinds.ts'
import type { Sender, Sending } from '../outgoing/sender.ts'
import { evm } from './evm.ts'
import type { Sweeping } from './sweeping.ts'
import { tron } from './tron.ts'

const entries: Record<Sending['kind'], Sweeping> = { evm, tron }

/** Returns how deposits are swept on a chain. */
export const sweepingOn = (chain: Sender): Sweeping => entries[sendingOn(chain).kind]
