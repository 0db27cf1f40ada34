import { type FormEvent, useEffect, useRef, useState } from 'react'
import { explainFailure } from '../api/explain.ts'
import { Refused } from '../api/failure.ts'
import { check, type Errors, type Rules } from './rules.ts'

/**
 * State of a form: values, errors and submission. Errors show after the first submission and update while typing. A
 * server refusal that names a field shows at that field, so fields are named as in the request body.
 */
export function useForm<V extends object>(initial: V, rules: Rules<V>) {
  const [values, setValues] = useState(initial)
  const [tried, setTried] = useState(0)
  const [refused, setRefused] = useState<Errors<V>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const errors = { ...(tried > 0 ? check(values, rules) : {}), ...refused }

  useEffect(() => {
    if (tried > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [tried])

  /** Runs the submission if all rules pass and shows its errors. Resolves with whether it succeeded. */
  const submit = async (send: (values: V) => Promise<unknown>): Promise<boolean> => {
    setRefused({})
    setTried(tried + 1)
    if (busy || Object.keys(check(values, rules)).length > 0) return false
    setBusy(true)
    try {
      await send(values)
      return true
    } catch (error) {
      if (error instanceof Refused && error.field && error.field in values) {
        setRefused({ [error.field]: error.message } as Errors<V>)
        setTried(tried + 2)
      }
      explainFailure(error as Error)
      return false
    } finally {
      setBusy(false)
    }
  }

  return {
    values,
    errors: errors as Errors<V>,
    busy,
    set:
      <K extends keyof V>(name: K) =>
      (value: V[K]) => {
        setValues(before => ({ ...before, [name]: value }))
        setRefused(({ [name]: _gone, ...rest }) => rest as Errors<V>)
      },
    setAll: setValues,
    submit,
    /** Props to spread on the form element. */
    formProps: (send: (values: V) => Promise<unknown>) => ({
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void submit(send)
      },
    }),
  }
}
