import { useEffect, useRef, useState } from 'react'
import { showFailureToast } from '../api/explain.ts'
import { api, type CallInput, type CallOptions, type RouteData, type RouteKey } from '../api/index.ts'
import { invalidateCalls } from '../api/query.ts'
import { runOnce } from '../lib/once.ts'
import { showToast } from '../lib/toast.ts'
import { type ConfirmationRequest, confirm } from '../ui/feedback/confirm.ts'

interface Options<D> {
  /** Asked before the call is sent. */
  ask?: ConfirmationRequest
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
export function useSubmit<K extends RouteKey>(key: K, { ask, refreshes = [], done }: Options<RouteData<K>> = {}) {
  const [pending, setPending] = useState<CallInput<K> & CallOptions>()
  const [underWay] = useState(() => new Set<string>())
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])
  const mutate = async (input: CallInput<K> & CallOptions, { onSuccess, onSettled }: Then<RouteData<K>> = {}) => {
    if (ask && !(await confirm(ask))) return
    const succeed = async (data: RouteData<K>) => {
      if (!here.current) return
      if (done) showToast('success', typeof done === 'function' ? done(data) : done)
      await invalidateCalls(...refreshes)
      await onSuccess?.(data)
    }
    const send = async () => {
      setPending(input)
      const sending = api(key, input)
      // Another input may be under way by then.
      const end = () => setPending(last => (last === input ? undefined : last))
      sending.then(end, end)
      await sending.then(succeed, showFailureToast)
    }
    await runOnce(underWay, JSON.stringify(input), () => send().finally(() => here.current && onSettled?.()))
  }
  return {
    isPending: pending !== undefined,
    /** The input that is under way, the last one if there are several. */
    pending,
    mutate: (input: CallInput<K> & CallOptions, then?: Then<RouteData<K>>) => {
      void mutate(input, then)
    },
  }
}
