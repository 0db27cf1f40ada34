import { limits } from '@coffer/contract/limits.ts'
import { isDay } from '../../lib/days.ts'

type Rules = Record<string, (text: string) => boolean>
type Guard<T extends string> = (text: string) => text is T
type Fitting<Rule> = Rule extends Guard<infer T> ? T : string

/** The page of a list in an address. Page 1 and the first page size are not written. */
export interface ListPlace {
  current?: number | undefined
  pageSize?: number | undefined
}

/** The parameters of an address: each is text that fits its rule, or missing. */
type Search<R extends Rules> = { [name in keyof R]?: Fitting<R[name]> | undefined } & ListPlace

const pagesMax = 10_000_000

/**
 * Declares the parameters of a page's address, each with the rule that its text must fit, beside `current` and `pageSize`
 * of a list. The reader makes undefined what is unknown or invalid, and a `from` without a later `to`.
 */
export const search =
  <R extends Rules>(rules: R) =>
  (raw: Record<string, unknown>): Search<R> => {
    const found: Record<string, string | number | undefined> = {}
    // Long digits must have stayed text: a number of 32 digits has already lost some.
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

/** The rules of a range of days. */
export const days = { from: isDay, to: isDay }

export const isAny = (_text: string) => true

/** An id such as an application's. */
export const isId = (text: string) => /^[\w-]{1,64}$/.test(text)

export const oneOf =
  <const V extends string | number>(...values: readonly V[]) =>
  (text: string): text is `${V}` =>
    values.some(value => String(value) === text)
