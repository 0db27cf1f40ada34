import type { z } from 'zod'

/**
 * Who may call: `public` anyone; `token` a signed-in merchant (X-Token); `pending` a token before its 6-digit code;
 * `key` the merchant's server (Authorization: Bearer sk_...).
 */
export type Auth = 'public' | 'token' | 'pending' | 'key'

export interface RouteDefinition {
  auth: Auth
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** What `data` holds when `code` is 200. */
  data: z.ZodType
  /** A submission: the client sends an Idempotency-Key and guards against a second click. */
  submission?: boolean
  /** The answer is a file or a stream of events, not the JSON envelope. `multipart`: the body is a form with a file. */
  kind?: 'json' | 'file' | 'events' | 'multipart'
}

/** Keeps the literal types of a group of routes while checking their form. */
export const defineRoutes = <const T extends Record<`${Method} /${string}`, RouteDefinition>>(table: T): T => table

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
