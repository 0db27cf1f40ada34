/** A rule gives the message of what is wrong with a value, or something false. */
type Rule<T, V> = (value: T, values: V) => string | false | null | undefined
export type Rules<V> = { [K in keyof V]?: Rule<V[K], V> }
export type Errors<V> = { [K in keyof V]?: string }

/** The first message of each field whose rule is broken. */
export function check<V extends object>(values: V, rules: Rules<V>): Errors<V> {
  const errors: Errors<V> = {}
  for (const name of Object.keys(rules) as (keyof V)[]) {
    const message = rules[name]?.(values[name], values)
    if (message) errors[name] = message
  }
  return errors
}
