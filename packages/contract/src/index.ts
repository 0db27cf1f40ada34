import type { z } from 'zod'
import type { RouteDefinition } from './route.ts'
import { routes } from './routes.ts'

export * from './codes.ts'
export * from './decimal.ts'
export * from './errors.ts'
export * from './labels.ts'
export * from './languages.ts'
export * from './limits.ts'
export type { Auth, DocumentedRoute, Method, RouteDefinition } from './route.ts'
export type { Metadata } from './schemas.ts'
export { routes }

export type Routes = typeof routes
export type RouteKey = keyof Routes

type Part<K extends RouteKey, P extends keyof RouteDefinition> = Routes[K] extends {
  [key in P]: infer S extends z.ZodType
}
  ? S
  : never
type Given<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.input<S> : undefined
type Parsed<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.output<S> : undefined

/** Types of what a caller sends, before defaults and transforms. */
export type Query<K extends RouteKey> = Given<Part<K, 'query'>>
export type Body<K extends RouteKey> = Given<Part<K, 'body'>>
export type Params<K extends RouteKey> = Given<Part<K, 'params'>>
/** Types of what a handler gets, after defaults and transforms. */
export type ParsedQuery<K extends RouteKey> = Parsed<Part<K, 'query'>>
export type ParsedBody<K extends RouteKey> = Parsed<Part<K, 'body'>>
export type ParsedParams<K extends RouteKey> = Parsed<Part<K, 'params'>>
/** The type of `data` in the response. */
export type Data<K extends RouteKey> = z.output<Routes[K]['data']>
