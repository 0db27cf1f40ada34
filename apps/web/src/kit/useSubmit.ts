import { useMutation } from '@tanstack/react-query'
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
  const mutation = useMutation<Data<K>, Error, Input<K> & CallOptions>({
    mutationFn: input => api(key, input),
    onError: explainFailure,
  })
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
    // `onError` has shown why.
    const send = () => mutation.mutateAsync(input).then(succeed, () => {})
    await once(underWay, JSON.stringify(input), () => send().then(() => here.current && onSettled?.()))
  }
  const { mutateAsync: _unguarded, ...state } = mutation
  return {
    ...state,
    mutate: (input: Input<K> & CallOptions, then?: Then<Data<K>>) => {
      void mutate(input, then)
    },
  }
}
