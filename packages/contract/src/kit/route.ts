import type { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import type { Language } from '../languages.ts'
import type { KeyScope } from './key-scopes.ts'
import type { MerchantRole } from './merchant-roles.ts'

/**
 * Authentication of a call. `public`: none. `token`: a signed-in merchant (X-Token). `pending`: a token that awaits the
 * second factor. `key`: the merchant's server (Authorization: Bearer sk_...).
 */
export type RouteAuth = 'public' | 'token' | 'pending' | 'key'

export type RouteDefinition = OpenRoute | SignedInRoute | DocumentedRoute

/** A call of the back-office. */
interface InternalCall extends Call {
  summary: string
  docs?: undefined
  scope?: undefined
}

interface OpenRoute extends InternalCall {
  auth: 'public' | 'pending'
  who?: undefined
}

/** A call of whoever signed in. */
interface SignedInRoute<Role extends string = string> extends InternalCall, MemberAccess<Role> {
  auth: 'token'
}

/** Who may make a call: members with one of these roles, or, `oneself`, everybody, about the own person. */
interface MemberAccess<Role extends string> {
  who: readonly Role[] | 'oneself'
}

/** A call of the public API, which the documentation and the OpenAPI document list. */
export type DocumentedRoute = KeyRoute | PublicRoute

/** A call of the merchant's server. */
export interface KeyRoute extends Documented {
  auth: 'key'
  /** What the key must be allowed. */
  scope: KeyScope
  /** Keys from before scopes may make the call without. */
  beforeScopes?: true
}

interface PublicRoute extends Documented {
  auth: 'public'
  scope?: undefined
}

interface Documented extends Call {
  who?: undefined
  summary: Record<Language, string>
  docs: {
    id: string
    tag: 'Orders' | 'Addresses' | 'Payouts' | 'Account' | 'Members' | 'Checkout' | 'Callbacks'
    /** Possible errors, in addition to those of every call. */
    errors: readonly ErrorName[]
  }
}

interface Call {
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** `data` of a response with `code` 200. */
  data: z.ZodType
  /**
   * Of a GET that shows records or figures: it may be read from a replica that has all that was confirmed before the
   * request. What decides about money reads the primary.
   */
  replica?: true
  /** Whether an Idempotency-Key is ignored, so that the answer, such as a token of an operator, is never stored. */
  unstored?: true
  /** Whether success ends the token of the request: a retry gets the stored answer without it. */
  endsToken?: boolean
  /**
   * `file`, `picture` and `events`: the response is a file that is streamed, a picture, or an event stream, not JSON.
   * `multipart`: the body is a form with a file.
   */
  kind?: 'json' | 'file' | 'picture' | 'events' | 'multipart'
}

/** A call as it is written down. Without `auth` it needs somebody who signed in, and says who. */
export type RouteDeclaration<Role extends string> =
  | (InternalCall & { auth: 'public' | 'pending'; who?: undefined })
  | (InternalCall & { auth?: undefined } & MemberAccess<Role>)
  | DocumentedRoute
export type RouteTable<Route> = Record<`${Method} /${string}`, Route>
type Completed<T> = { [K in keyof T]: T[K] extends { auth: RouteAuth } ? T[K] : T[K] & { auth: 'token' } }

/** Checks a group of merchants' routes, and keeps their literal types. */
export const defineRoutes = <const T extends RouteTable<RouteDeclaration<MerchantRole>>>(table: T): Completed<T> =>
  completeRoutes(table)

/** Writes out that routes without `auth` need somebody who signed in. */
export const completeRoutes = <const T extends RouteTable<object>>(table: T): Completed<T> =>
  Object.fromEntries(Object.entries(table).map(([key, route]) => [key, { auth: 'token', ...route }])) as Completed<T>

/**
 * Whether a call changes something: the client then sends an Idempotency-Key, with which a retry gets the stored
 * answer, and prevents double submission.
 */
export const needsIdempotencyKey = (key: string, { kind, unstored }: RouteDefinition): boolean =>
  !key.startsWith('GET ') && kind !== 'multipart' && !unstored

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
