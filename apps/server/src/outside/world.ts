import type { ChainDefinition, ChainKind, Endpoint } from '@coffer/chains'
import type { IpLocationLookup } from '../kit/visitor.ts'
import type { ChatPoster } from './chat-hooks.ts'
import type { Mailer } from './mail.ts'
import type { PriceSource } from './prices/read.ts'
import type { Pusher } from './push.ts'
import type { TextMessenger } from './text-message.ts'
import type { ThirdPartySignIn } from './third-party-sign-in.ts'

/** A chain to watch, and its nodes. */
export interface WatchedChain {
  definition: ChainDefinition
  nodes: Endpoint[]
}

/**
 * External services. Production and sandbox provide one implementation each; the rest of the server does not know
 * which.
 */
export interface ExternalServices {
  mail: Mailer
  text: TextMessenger
  /** Absent for the real services. */
  push?: Pusher
  chat?: ChatPoster
  signIn: ThirdPartySignIn | null
  priceSources: PriceSource[]
  /** Absent where no request is served. */
  places?: IpLocationLookup
  chains: WatchedChain[]
  /** Extended public keys (BIP-32) by kind of chain. */
  xpubs: Partial<Record<ChainKind, string>>
  stop?: () => Promise<void>
}
