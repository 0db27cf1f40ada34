import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import type { RequestRefused } from '../api/failure.ts'
import { cancelErrorToast, closeToasts } from '../lib/toast.ts'
import { checkValues, chooseErrorPlace, type FormErrors, type FormRules } from './rules.ts'

/** A form's state, by the type of its values. */
export type Form<V extends object> = ReturnType<typeof useForm<V>>

/** Focuses the first field with an error after a submission. */
function useFocusOnError(form: RefObject<HTMLFormElement | null>, tried: number) {
  useEffect(() => {
    if (tried > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, tried])
}

/** What the server refused: messages of fields, and one of the whole form with `banner`. */
function useRefusal<V extends object>(banner: boolean) {
  const [refused, setRefused] = useState<FormErrors<V>>({})
  const [problem, setProblem] = useState('')
  return {
    refused,
    problem,
    clear() {
      setRefused({})
      setProblem('')
      closeToasts()
    },
    forget: (name: keyof V) => setRefused(({ [name]: _removed, ...rest }) => rest as FormErrors<V>),
    /** Shows why a submission failed. Returns whether at a field. */
    show(error: unknown, values: V): boolean {
      const place = chooseErrorPlace(error, values, banner)
      if (place === 'toast') {
        showFailureToast(error as Error)
        return false
      }
      const { message, field } = error as RequestRefused
      cancelErrorToast(message)
      if (place === 'field') setRefused({ [field!]: message } as FormErrors<V>)
      else setProblem(message)
      return place === 'field'
    },
  }
}

interface Options<V> {
  banner?: boolean
  onIncomplete?(values: V): unknown
}

/**
 * State of a form: values, errors and submission. Errors show after the first submission and update while typing. A
 * server refusal shows once: at the field that it names, else as `problem` in a form with a banner, else as a toast.
 * Fields are named as in the request body. `onIncomplete` is called when a rule fails.
 */
export function useForm<V extends object>(
  initial: V,
  rules: FormRules<V>,
  { banner = false, onIncomplete }: Options<V> = {},
) {
  const [values, setValues] = useState(initial)
  const [tried, setTried] = useState(0)
  const [triedWith, setTriedWith] = useState(initial)
  const refusal = useRefusal<V>(banner)
  const [busy, setBusy] = useState(false)
  // A second click comes before `busy` is drawn.
  const sending = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const errors = { ...(tried > 0 ? checkValues(values, rules, triedWith) : {}), ...refusal.refused }

  useFocusOnError(form, tried)

  /** Runs the submission if all rules pass and shows its errors. Resolves with whether it succeeded. */
  const submit = async (send: (values: V) => Promise<unknown>): Promise<boolean> => {
    refusal.clear()
    setTried(tried + 1)
    setTriedWith(values)
    if (sending.current) return false
    if (Object.keys(checkValues(values, rules)).length > 0) {
      onIncomplete?.(values)
      return false
    }
    sending.current = true
    setBusy(true)
    try {
      await send(values)
      // What is entered next has not been tried.
      setTried(0)
      return true
    } catch (error) {
      if (refusal.show(error, values)) setTried(tried + 2)
      return false
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return {
    values,
    /** The values at the last submission. */
    tried: triedWith,
    errors: errors as FormErrors<V>,
    problem: refusal.problem,
    busy,
    set:
      <K extends keyof V>(name: K) =>
      (value: V[K]) => {
        setValues(before => ({ ...before, [name]: value }))
        refusal.forget(name)
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
