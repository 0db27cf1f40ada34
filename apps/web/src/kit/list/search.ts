import { limits } from '@coffer/contract/limits.ts'
import { isDay } from '../../lib/days.ts'

type Rules = Record<string, (text: string) => boolean>
type Guard<T extends string> = (text: string) => text is T
type Fitting<Rule> = Rule extends Guard<infer T> ? T : string

/** The page of a list in the URL. Page 1 and the default page size are omitted. */
export interface ListPlace {
  current?: number | undefined
  pageSize?: number | undefined
}

/** Search parameters: text that matches its rule, or undefined. */
type Search<R extends Rules> = { [name in keyof R]?: Fitting<R[name]> | undefined } & ListPlace

const pagesMax = 10_000_000

/**
 * Declares a page's search parameters, each with the rule its text must match, in addition to `current` and `pageSize`.
 * The returned validator sets unknown and invalid parameters to undefined, as well as an incomplete or reversed range.
 */
export const search =
  <R extends Rules>(rules: R) =>
  (raw: Record<string, unknown>): Search<R> => {
    const found: Record<string, string | number | undefined> = {}
    // Only text is accepted: a 32-digit number would already have lost digits.
    for (const [name, text] of Object.entries(raw))
      found[name] =
        typeof text === 'string' && Object.hasOwn(rules, name) && text && rules[name]?.(text) ? text : undefined
    const { from, to } = found
    if (!from || !to || from > to) found.from = found.to = undefined
    const [current, pageSize] = [Number(raw.current), Number(raw.pageSize)]
    found.current = Number.isInteger(current) && current > 1 && current <= pagesMax ? current : undefined
    found.pageSize = limits.pageSizes.find(size => size === pageSize && size !== limits.pageSizes[0])
    return found as Search<R>
  }

/** Rules of a range of days. */
export const days = { from: isDay, to: isDay }

export const isAny = (_text: string) => true

/** Accepts ids such as an application's. */
export const isId = (text: string) => /^[\w-]{1,64}$/.test(text)

export const oneOf =
  <const V extends string | number>(...values: readonly V[]) =>
  (text: string): text is `${V}` =>
    values.some(value => String(value) === text)
