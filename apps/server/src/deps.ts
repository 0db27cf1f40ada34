import type { ChainView } from '@coffer/chains'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Live } from './kit/live.ts'
import type { Passwords } from './kit/passwords.ts'
import type { Replica } from './kit/replica.ts'
import type { Seal } from './kit/seal.ts'
import type { IpLocationLookup } from './kit/visitor.ts'
import type { WorkShare } from './kit/work-share.ts'
import type { AddressIndexMark } from './outside/address-index-mark.ts'
import type { ChatPoster } from './outside/chat-hooks.ts'
import type { Mailer } from './outside/mail.ts'
import type { Prices } from './outside/prices/prices.ts'
import type { Pusher } from './outside/push.ts'
import type { IsSanctioned } from './outside/sanctions.ts'
import type { TelegramBot } from './outside/telegram.ts'
import type { TextMessenger } from './outside/text-message.ts'
import type { ThirdPartySignIn } from './outside/third-party-sign-in.ts'
import type { SignerClient } from './signer/client.ts'

/** Dependencies of commands and jobs. Made once at startup (and by tests) and passed as the first argument. */
export interface Deps {
  config: Config
  /**
   * Connections of requests. `serve` passes jobs, followers and probes their own in its place, so that requests cannot
   * starve them.
   */
  pool: pg.Pool
  pools: { jobs: pg.Pool; chains: pg.Pool; probes: pg.Pool }
  /** Where lists, statistics and exports may be read. Null without one. */
  replica: Replica | null
  log: Logger
  /** Unix seconds. The only clock a command may read. */
  clock: () => number
  seal: Seal
  passwords: Passwords
  /** Reports whether a password is known from breaches; rejects when that cannot be found out. */
  breached: (password: string) => Promise<boolean>
  sanctioned: IsSanctioned
  /** Finds the place of an IP address in the operator's database. */
  places: IpLocationLookup
  live: Live
  /** What this process does of the work that servers share. */
  share: WorkShare
  mail: Mailer
  text: TextMessenger
  push: Pusher
  chat: ChatPoster
  /** Null when the installation has no bot. */
  telegram: TelegramBot | null
  /** Null when no third-party sign-in is configured. */
  signIn: ThirdPartySignIn | null
  prices: Prices
  /** Watched chains by id. */
  chains: ReadonlyMap<string, ChainView>
  /** Derives the deposit address at an index of the watch-only key tree. */
  addressAt: (kind: ChainView['definition']['kind'], index: number) => string
  addressMark: AddressIndexMark
  /** The process that holds the keys. Connects on the first call. */
  signer: Pick<
    SignerClient,
    | 'hot'
    | 'sweeper'
    | 'holdsDeposits'
    | 'treasury'
    | 'exposure'
    | 'releaseSites'
    | 'sign'
    | 'dryRun'
    | 'isReleased'
    | 'proveAddresses'
    | 'proveStatement'
  >
}
