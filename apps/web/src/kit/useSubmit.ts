import { useEffect, useRef, useState } from 'react'
import { explainFailure } from '../api/explain.ts'
import { api, type CallOptions, type Data, type Input, type RouteKey } from '../api/index.ts'
import { refresh } from '../api/query.ts'
import { once } from '../lib/once.ts'
import { showToast } from '../lib/toast.ts'
import { confirm, type Question } from '../ui/feedback/confirm.ts'

interface Options<D> {
  /** Asked before the call is sent. */
  ask?: Question
  /** The calls to read again after success. */
  refreshes?: readonly (RouteKey & `GET ${string}`)[]
  /** Toast after success. */
  done?: string | ((data: D) => string)
}

/** What to do with the answer of one submission, unless the page has been left. */
interface Then<D> {
  onSuccess?(data: D): unknown
  onSettled?(): unknown
}

/**
 * A submission that shows its errors: `const save = useSubmit('PUT /api/v1/user/edit', { done: t.saved })`, then
 * `save.mutate({ body })`. A second click while the same call is under way changes nothing.
 */
export function useSubmit<K extends RouteKey>(key: K, { ask, refreshes = [], done }: Options<Data<K>> = {}) {
  const [pending, setPending] = useState<Input<K> & CallOptions>()
  const [underWay] = useState(() => new Set<string>())
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  const mutate = async (input: Input<K> & CallOptions, { onSuccess, onSettled }: Then<Data<K>> = {}) => {
    if (ask && !(await confirm(ask))) return
    const succeed = async (data: Data<K>) => {
      if (!here.current) return
      if (done) showToast('success', typeof done === 'function' ? done(data) : done)
      await refresh(...refreshes)
      await onSuccess?.(data)
    }
    const send = async () => {
      setPending(input)
      const sending = api(key, input)
      // Another input may be under way by then.
      const end = () => setPending(last => (last === input ? undefined : last))
      sending.then(end, end)
      await sending.then(succeed, explainFailure)
    }
    await once(underWay, JSON.stringify(input), () => send().finally(() => here.current && onSettled?.()))
  }
  return {
    isPending: pending !== undefined,
    /** The input that is under way, the last one if there are several. */
    pending,
    mutate: (input: Input<K> & CallOptions, then?: Then<Data<K>>) => {
      void mutate(input, then)
    },
  }
}
