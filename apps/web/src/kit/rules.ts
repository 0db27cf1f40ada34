import { RequestRefused } from '../api/failure.ts'

/** A rule returns the error message for a value, or a falsy value. `tried`: the values at the last submission. */
export type FieldRule<T, V> = (value: T, values: V, tried?: V) => string | false | null | undefined
export type FormRules<V> = { [K in keyof V]?: FieldRule<V[K], V> }
export type FormErrors<V> = { [K in keyof V]?: string }

/**
 * The error message of each invalid field, but for those that were off (null) in the values `tried` before and are on
 * since.
 */
export function checkValues<V extends object>(values: V, rules: FormRules<V>, tried = values): FormErrors<V> {
  const errors: FormErrors<V> = {}
  for (const name of Object.keys(rules) as (keyof V)[]) {
    if (tried[name] === null && values[name] !== null) continue
    const message = rules[name]?.(values[name], values, tried)
    if (message) errors[name] = message
  }
  return errors
}

/** Where a form shows the error of its submission. The client shows that of an ended login. */
export function chooseErrorPlace(error: unknown, values: object, banner: boolean): 'field' | 'banner' | 'toast' {
  if (!(error instanceof RequestRefused) || error.status === 401) return 'toast'
  if (error.field !== undefined && error.field in values) return 'field'
  return banner && error.message ? 'banner' : 'toast'
}
