import type { SelectOption } from '../../ui/controls/options.ts'
import type { FiltersOf, SearchRules } from './search.ts'

type Name<V> = keyof V & string

interface Labelled {
  label: string
  /** Classes of the field's width. */
  width?: string
  /** Behind a button, until one of these filters is set. */
  isMore?: boolean
}

interface Choice<N, V> extends Labelled {
  by: N
  /** Label of the option for no filter. */
  all: string
  /** Other filters that a choice clears. */
  clears?: readonly Name<V>[]
}

/** A choice of the values that the rule has. */
interface NamedChoice<N, T extends string, V> extends Choice<N, V> {
  names: Readonly<Record<T, string>>
  /** On phones, these values are one tap away; with all of them, the field is nowhere else. */
  quick?: readonly T[] | 'all'
}

/** A choice of values that are loaded. */
interface LoadedChoice<N, V> extends Choice<N, V> {
  /** A hook; gets the other filters. */
  useOptions(values: V): readonly SelectOption[]
}

/** A text that fits the rule, or the first that it fits of several. */
interface Text<N> extends Labelled {
  by: N | readonly [N, N]
  error: string
  digits?: boolean
}

/** The search box above the other filters. */
interface SearchText<N> {
  by: N
  /** What it finds. */
  label: string
  /** In place of the label, where it is too long for the box. */
  placeholder?: string
  maxLength: number
  isMore?: never
}

/** A range of days up to today, in the shown zone. */
interface Days extends Labelled {
  by: 'days'
}

type Of<V> = {
  [N in Name<V>]: string extends NonNullable<V[N]> ? LoadedChoice<N, V> : NamedChoice<N, NonNullable<V[N]> & string, V>
}[Name<V>]

/** A filter of a list, drawn as a field. */
export type ListField<R extends SearchRules> =
  | Of<FiltersOf<R>>
  | Text<Name<FiltersOf<R>>>
  | SearchText<Name<FiltersOf<R>>>
  | Days

/** The same, as the kit reads it. */
export type AnyField =
  | NamedChoice<string, string, FilterValues>
  | LoadedChoice<string, FilterValues>
  | Text<string>
  | SearchText<string>
  | Days
export type FilterValues = Record<string, string | undefined>

/** Names of codes, as parameters of the URL have them. */
export const toCodeNames = <const C extends Record<string, number>>(
  codes: C,
  names: Readonly<Record<keyof C, string>>,
) =>
  Object.fromEntries(Object.entries(codes).map(([state, code]) => [code, names[state as keyof C]])) as Record<
    `${C[keyof C]}`,
    string
  >

/** The values of a field's rule with their names. */
export const toFieldOptions = (
  { by, names }: { by: string; names: Readonly<Record<string, string>> },
  rules: SearchRules,
): SelectOption[] => (rules[by]?.values ?? []).map(value => ({ value, label: names[value] ?? value }))
