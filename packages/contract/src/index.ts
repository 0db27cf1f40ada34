import type { DataOf, GivenOf, ParsedOf } from './kit/typed.ts'
import { routes } from './routes.ts'

export * from './codes.ts'
export * from './errors.ts'
export * from './kit/decimal.ts'
export * from './kit/limits.ts'
export { type Auth, type DocumentedRoute, isSubmission, type Method, type RouteDefinition } from './kit/route.ts'
export type { Metadata } from './kit/schemas.ts'
export * from './labels.ts'
export * from './languages.ts'
export { routes }

export type Routes = typeof routes
export type RouteKey = keyof Routes

/** Types of what a caller sends, before defaults and transforms. */
export type Query<K extends RouteKey> = GivenOf<Routes[K], 'query'>
export type Body<K extends RouteKey> = GivenOf<Routes[K], 'body'>
export type Params<K extends RouteKey> = GivenOf<Routes[K], 'params'>
/** Types of what a handler gets, after defaults and transforms. */
export type ParsedQuery<K extends RouteKey> = ParsedOf<Routes[K], 'query'>
export type ParsedBody<K extends RouteKey> = ParsedOf<Routes[K], 'body'>
export type ParsedParams<K extends RouteKey> = ParsedOf<Routes[K], 'params'>
/** Filters of a list call as its handler gets them: its query without the page. */
export type FilterOf<K extends RouteKey> = Omit<ParsedQuery<K>, 'current' | 'page' | 'pageSize'>
/** The type of `data` in the response. */
export type Data<K extends RouteKey> = DataOf<Routes[K]>
