import type { z } from 'zod'
import type { RouteDefinition } from './route.ts'

/** A table of routes: 'METHOD /path' -> definition. */
export type RouteTable = Record<string, RouteDefinition>

type Part<Route, P extends keyof RouteDefinition> = Route extends { [key in P]: infer S extends z.ZodType } ? S : never
type Given<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.input<S> : undefined
type Parsed<S> = [S] extends [never] ? undefined : S extends z.ZodType ? z.output<S> : undefined

/** What a caller of a route sends, before defaults and transforms. */
export type RouteInput<Route, P extends 'query' | 'body' | 'params'> = Given<Part<Route, P>>
/** What the handler of a route gets, after defaults and transforms. */
export type ParsedRouteInput<Route, P extends 'query' | 'body' | 'params'> = Parsed<Part<Route, P>>
/** `data` in the response of a route. */
export type RouteOutput<Route extends RouteDefinition> = z.output<Route['data']>
