import { createEvmSending } from './evm.ts'
import type { ExpiringChain, PayableChain, SendingStrategy } from './sender.ts'
import { createTronSending } from './tron.ts'

const expires = (chain: PayableChain): chain is ExpiringChain => chain.expiring !== undefined

/** Returns how transactions of ours are sent on a chain. */
export const createSendingFor = (chain: PayableChain): SendingStrategy =>
  expires(chain) ? createTronSending(chain) : createEvmSending(chain)
