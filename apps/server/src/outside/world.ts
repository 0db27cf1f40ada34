import type { ChainDefinition, ChainKind, Endpoint } from '@coffer/chains'
import type { Places } from '../kit/visitor.ts'
import type { Mailer } from './mail.ts'
import type { PriceSource } from './prices/read.ts'
import type { Pusher } from './push.ts'
import type { SignIn } from './sign-in.ts'
import type { TextMessenger } from './text-message.ts'

/** A chain to watch, and its nodes. */
export interface WatchedChain {
  definition: ChainDefinition
  nodes: Endpoint[]
}

/**
 * External services. Production and sandbox provide one implementation each; the rest of the server does not know
 * which.
 */
export interface World {
  mail: Mailer
  text: TextMessenger
  /** Absent for the real services. */
  push?: Pusher
  signIn: SignIn | null
  priceSources: PriceSource[]
  /** Absent where no request is served. */
  places?: Places
  chains: WatchedChain[]
  /** Extended public keys (BIP-32) by kind of chain. */
  xpubs: Partial<Record<ChainKind, string>>
  stop?: () => Promise<void>
}
