export interface SelectOption<V extends string = string> {
  value: V
  label: string
  disabled?: boolean
}

/**
 * The options of a list, and the chosen value under its own name when no option has it: without it the browser would
 * show the first option although something else is in force.
 */
export const includeSelected = <V extends string>(
  options: readonly SelectOption<V>[],
  value: V,
): readonly SelectOption<V>[] =>
  value === '' || options.some(option => option.value === value) ? options : [...options, { value, label: value }]
