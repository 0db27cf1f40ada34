import type { ParsedRouteInput, RouteInput, RouteOutput } from './kit/typed.ts'
import { routes } from './routes.ts'

export * from './codes.ts'
export * from './errors.ts'
export * from './kit/decimal.ts'
export * from './kit/limits.ts'
export {
  type DocumentedRoute,
  type KeyRoute,
  type Method,
  needsIdempotencyKey,
  type RouteAuth,
  type RouteDefinition,
} from './kit/route.ts'
export type { Metadata } from './kit/schemas.ts'
export * from './labels.ts'
export * from './languages.ts'
export { routes }

export type Routes = typeof routes
export type RouteKey = keyof Routes

/** Types of what a caller sends, before defaults and transforms. */
export type RouteQuery<K extends RouteKey> = RouteInput<Routes[K], 'query'>
export type RouteBody<K extends RouteKey> = RouteInput<Routes[K], 'body'>
export type RouteParams<K extends RouteKey> = RouteInput<Routes[K], 'params'>
/** Types of what a handler gets, after defaults and transforms. */
export type ParsedQuery<K extends RouteKey> = ParsedRouteInput<Routes[K], 'query'>
export type ParsedBody<K extends RouteKey> = ParsedRouteInput<Routes[K], 'body'>
export type ParsedParams<K extends RouteKey> = ParsedRouteInput<Routes[K], 'params'>
/** Filters of a list call as its handler gets them: its query without the page. */
export type RouteFilter<K extends RouteKey> = Omit<ParsedQuery<K>, 'current' | 'page' | 'pageSize'>
/** The type of `data` in the response. */
export type RouteData<K extends RouteKey> = RouteOutput<Routes[K]>
