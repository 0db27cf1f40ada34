import { type FormEvent, useEffect, useRef, useState } from 'react'
import { explainFailure } from '../api/explain.ts'
import { Refused } from '../api/failure.ts'
import { check, type Errors, type Rules } from './rules.ts'

/**
 * The state of a form: values, errors and the submission. Errors show from the first submission on and follow the
 * typing. A refusal by the server that names a field shows at that field. Names are those of the call's body.
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

  /** Runs the submission when every rule holds. What it throws is explained to the person; true when it went through. */
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
    /** Spread on the form element. */
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
