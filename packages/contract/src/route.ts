import type { z } from 'zod'

/**
 * Authentication of a call. `public`: none. `token`: a signed-in merchant (X-Token). `pending`: a token that awaits the second
 * factor. `key`: the merchant's server (Authorization: Bearer sk_...).
 */
export type Auth = 'public' | 'token' | 'pending' | 'key'

export interface RouteDefinition {
  auth: Auth
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** `data` of a response with `code` 200. */
  data: z.ZodType
  /** Whether the call changes something: the client then sends an Idempotency-Key and prevents double submission. */
  submission?: boolean
  /** `file` and `events`: the response is a file or an event stream, not JSON. `multipart`: the body is a form with a file. */
  kind?: 'json' | 'file' | 'events' | 'multipart'
}

/** Checks a group of routes against RouteDefinition, and keeps their literal types. */
export const defineRoutes = <const T extends Record<`${Method} /${string}`, RouteDefinition>>(table: T): T => table

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
