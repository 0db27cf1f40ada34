import type { Routes } from '@coffer/contract'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { RouteInput, RouteOutput } from '@coffer/contract/kit/typed.ts'
import type { OperatorRoutes } from '@coffer/contract/operator/index.ts'
import { isDay } from '../../lib/days.ts'

type Calls = Routes & OperatorRoutes
type AnyList = { list: readonly unknown[]; total: number }

/** A call that answers with a page of a list. */
export type ListCall = {
  [K in keyof Calls & `GET ${string}`]: RouteOutput<Calls[K]> extends AnyList ? K : never
}[keyof Calls & `GET ${string}`]
export type ListData<K extends ListCall> = RouteOutput<Calls[K]> & AnyList
export type ListRow<K extends ListCall> = ListData<K>['list'][number]
type ListQuery<K extends ListCall> = NonNullable<RouteInput<Calls[K], 'query'>>

/**
 * What the text of a parameter must fit. `values` are the only texts that do, if they are few. `param` is its name in
 * the query of the call, if that is another, or null if it is no filter.
 */
type Rule = ((text: string) => boolean) & { values?: readonly string[]; param?: string | null; isDrawer?: boolean }
export type SearchRules = Record<string, Rule>
type Guard<T extends string> = (text: string) => text is T
type Fitting<R> = R extends Guard<infer T> ? T : string

/** The page of a list in the URL. Page 1 and the default page size are omitted. */
export interface ListPlace {
  current?: number | undefined
  pageSize?: number | undefined
}

/** Search parameters: text that fits its rule, or undefined. */
export type ListSearchParams<R extends SearchRules> = { [N in keyof R]?: Fitting<R[N]> | undefined } & ListPlace

type ParamOf<R, N> = R extends { param: infer P } ? P : N
/** The filters among search parameters. */
export type FiltersOf<R extends SearchRules> = {
  [N in keyof R as R[N] extends { param: null } ? never : N]?: Fitting<R[N]> | undefined
}

const pagesMax = 10_000_000

/**
 * Declares a page's search parameters, each with the rule that its text must fit, in addition to `current` and
 * `pageSize`. The returned validator sets unknown and invalid parameters to undefined, as well as an incomplete or
 * reversed range.
 */
export const search =
  <R extends SearchRules>(rules: R) =>
  (raw: Record<string, unknown>): ListSearchParams<R> => {
    const found: Record<string, string | number | undefined> = {}
    // Only text is accepted: a 32-digit number would already have lost digits.
    for (const [name, text] of Object.entries(raw))
      found[name] =
        typeof text === 'string' && Object.hasOwn(rules, name) && text && rules[name]?.(text) ? text : undefined
    const { from, to } = found
    if (!from || !to || from > to) found.from = found.to = undefined
    const current = Number(raw.current)
    const pageSize = Number(raw.pageSize)
    found.current = Number.isInteger(current) && current > 1 && current <= pagesMax ? current : undefined
    found.pageSize = limits.pageSizes.find(size => size === pageSize && size !== limits.pageSizes[0])
    return found as ListSearchParams<R>
  }

/** A list: its call, and the parameters of its URL. */
export interface ListDeclaration<K extends ListCall = ListCall, R extends SearchRules = SearchRules> {
  call: K
  rules: R
  search(raw: Record<string, unknown>): ListSearchParams<R>
  options: ListOptions
}

interface ListOptions {
  /** The name of the page's number in the query. */
  page?: 'page'
  /** Rows that a phone loads at a time. */
  rowsOnPhone?: number
}

type QueryNames<K extends ListCall> = Exclude<keyof ListQuery<K> & string, 'current' | 'page' | 'pageSize'>
type Params<R extends SearchRules> = { [N in keyof R]: ParamOf<R[N], N> }[keyof R]
/** Filters of the call without a rule, and rules of no filter or of other values than the call takes. */
type Wrong<K extends ListCall, R extends SearchRules> =
  | Exclude<QueryNames<K>, Params<R>>
  | {
      [N in keyof R]: ParamOf<R[N], N> extends null
        ? never
        : ParamOf<R[N], N> extends QueryNames<K>
          ? Fitting<R[N]> extends ListQuery<K>[ParamOf<R[N], N>]
            ? never
            : R[N] extends { param: 'start_time' | 'end_time' }
              ? never
              : N
          : N
    }[keyof R]

/** Declares a list. A filter of the call without a rule, and a rule without a filter, do not compile. */
export const declareList = <K extends ListCall, R extends SearchRules>(
  call: K,
  rules: R & ([Wrong<K, R>] extends [never] ? unknown : Record<Wrong<K, R>, 'does not fit the query of the call'>),
  options: ListOptions = {},
): ListDeclaration<K, R> => ({ call, rules, search: search<R>(rules), options })

/** Rows that a phone loads at a time. */
export const phonePageSizeOf = ({ options }: Pick<ListDeclaration, 'options'>): number => options.rowsOnPhone ?? 20

/** The first page of a list, as its call asks for it. */
export const buildFirstPage = (list: Pick<ListDeclaration, 'options'>, device: 'desktop' | 'phone') => ({
  current: 1,
  pageSize: device === 'phone' ? phonePageSizeOf(list) : limits.pageSizes[0],
})

const withParam = <R extends Rule, P extends string | null>(rule: R, param: P) =>
  Object.assign((text: string) => rule(text), rule, { param }) as unknown as R & { param: P }

/** Rules of a range of days. */
export const dayRangeRules = { from: withParam(isDay, 'start_time'), to: withParam(isDay, 'end_time') }

/** A filter whose name in the URL differs from that in the query. */
export const withQueryName = withParam
/** A parameter of the page that is no filter. */
export const asPageParam = <R extends Rule>(rule: R) => withParam(rule, null)
/** The id of the row whose details are open. */
export const asDrawerParam = <R extends Rule>(rule: R) => Object.assign(asPageParam(rule), { isDrawer: true })
/** A filter of the call that the page does not offer. */
export const isUnofferedFilter = (_text: string): _text is never => false

export const isAny = (_text: string) => true

export const oneOf = <const V extends string | number>(...values: readonly V[]) => {
  const texts = values.map(String) as `${V}`[]
  const fits = (text: string): text is `${V}` => texts.includes(text as `${V}`)
  return Object.assign(fits, { values: texts })
}
