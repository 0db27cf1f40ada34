import { EvmSending } from './evm.ts'
import { expires, type Sender, type Sending } from './sender.ts'
import { TronSending } from './tron.ts'

/** Returns how transactions of ours are sent on a chain. */
export const sendingOn = (chain: Sender): Sending => (expires(chain) ? new TronSending(chain) : new EvmSending(chain))
