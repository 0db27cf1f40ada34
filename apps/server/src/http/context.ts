import type {
  KeyRoute,
  Language,
  ParsedBody,
  ParsedParams,
  ParsedQuery,
  RouteAuth,
  RouteData,
  RouteKey,
  Routes,
} from '@coffer/contract'
import type { ApplicationRates } from '@coffer/contract/applications/routes.ts'
import type { KeyScope } from '@coffer/contract/kit/key-scopes.ts'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Queryable } from '../kit/db.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Merchant id of the caller or of the account that a request concerns; empty while unknown. For the request log.
     */
    account: string
    /** Name of the refusal that answered the request; empty without one. For the request log. */
    refusal: string
  }
}

/** A signed-in merchant's session. */
export interface Session {
  id: string
  /** Who signed in. */
  personId: string
  /** For which shop. */
  merchantId: string
  /** As what, as of this request. */
  role: MerchantRole
  /** Whether the shop requires a second factor that the person does not have yet. */
  factorMissing?: boolean
  tokenHash: Buffer
  /** As the audit log names it; empty while the session is pending. */
  name: string
}

/** A secret key, hashed, and the address of who sent it. */
export interface UsedKey {
  hash: Buffer
  ip: string
  /** The entry of the application's whitelist that allows the address; the address itself where it has none. */
  listedAs: string
}

/** The application authenticated by its API key. */
export interface KeyHolder {
  merchantId: string
  appid: string
  /** See `paymentMode` of the contract. */
  paymentMode: number
  /** What the key may do. */
  scopes: readonly KeyScope[]
  /** Whether it manages webhook endpoints without the scope, as keys from before scopes do. */
  managesEndpoints: boolean
  /** Whether it may mark orders as paid. */
  mayMark: boolean
  /** The person who made the key's secret. */
  madeBy: string
  /** When the key, what it may do, or from where, last changed. */
  openedAt: number
  /** How orders are priced; each change counts `version`. */
  pricing: { rates: ApplicationRates | null; version: number }
  /** The key itself, and the address from where it was used. */
  key: UsedKey
}

/** The scope that a call needs, as the contract declares it. */
export type RequiredScope = Pick<KeyRoute, 'scope' | 'beforeScopes'>

/** Refuses, in a transaction, a key whose scope was taken away since it was authenticated. */
export type ScopeRecheck = (c: Queryable) => Promise<void>

/** The application that makes a call, and the check that it still may. */
export interface CallingKey extends KeyHolder {
  recheck: ScopeRecheck
}

type Caller<A extends RouteAuth> = A extends 'token' | 'pending'
  ? { session: Session }
  : A extends 'key'
    ? { holder: CallingKey }
    : unknown

/** Input of a handler: the parsed request and its authenticated caller. */
export type HandlerContext<K extends RouteKey> = Caller<Routes[K]['auth']> & {
  deps: Deps
  query: ParsedQuery<K>
  body: ParsedBody<K>
  params: ParsedParams<K>
  language: Language
  timeZone: string | undefined
  ip: string
  device: string
  /** The secret of the device's cookie. */
  deviceToken: string | undefined
  /** The caller's Idempotency-Key, or undefined. */
  idempotencyKey: string | undefined
  request: FastifyRequest
  reply: FastifyReply
}

type Answers<K extends RouteKey> = Routes[K] extends { kind: 'file' | 'picture' | 'events' } ? unknown : RouteData<K>

/** Handles a parsed request and returns the data of the answer. File and event routes write to `reply` themselves. */
export type RouteHandler<K extends RouteKey> = (context: HandlerContext<K>) => Promise<Answers<K>>
export type RouteHandlers<K extends RouteKey = RouteKey> = { [key in K]: RouteHandler<key> }

/** Answers with an empty object once a verb is done. */
export const toEmptyAnswer = (verb: Promise<unknown>): Promise<Record<string, never>> => verb.then(() => ({}))

/** Type-checks a group of handlers against the contract. */
export const defineHandlers = <T extends Partial<RouteHandlers>>(handlers: T): T => handlers
