import { evmSending } from './evm.ts'
import type { ExpiringChain, Sender, Sending } from './sender.ts'
import { tronSending } from './tron.ts'

const expires = (chain: Sender): chain is ExpiringChain => chain.expiring !== undefined

/** Returns how transactions of ours are sent on a chain. */
export const sendingOn = (chain: Sender): Sending => (expires(chain) ? tronSending(chain) : evmSending(chain))
