import type { ChainDefinition, ChainKind, Endpoint } from '@coffer/chains'
import type { Mailer } from './mail.ts'
import type { PriceSource } from './prices/prices.ts'
import type { SignIn } from './sign-in.ts'
import type { TextMessenger } from './text-message.ts'

/** A chain to watch and the nodes that tell about it. */
export interface WatchedChain {
  definition: ChainDefinition
  nodes: Endpoint[]
}

/** Everything beyond our own walls. Production and sandbox each make one; the rest of the server cannot tell which. */
export interface World {
  mail: Mailer
  text: TextMessenger
  signIn: SignIn | null
  priceSources: PriceSource[]
  chains: WatchedChain[]
  /** The public half of the key tree of each kind of chain (extended public keys, BIP-32). */
  xpubs: Partial<Record<ChainKind, string>>
  stop?: () => Promise<void>
}
