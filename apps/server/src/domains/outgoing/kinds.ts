import { createEvmSending } from './evm.ts'
import type { ChainWithExpiry, PayableChain, SendingStrategy } from './sender.ts'
import { createTronSending } from './tron.ts'

const expires = (chain: PayableChain): chain is ChainWithExpiry => chain.expiring !== undefined

/** Returns how transactions of ours are sent on a chain. */
export const createSendingFor = (chain: PayableChain): SendingStrategy =>
  expires(chain) ? createTronSending(chain) : createEvmSending(chain)
