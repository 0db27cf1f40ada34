import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { once } from '../lib/once.ts'
import { explainFailure } from './explain.ts'
import { api } from './index.ts'
import type { CallOptions, Data, Input, RouteKey } from './types.ts'

/** What to do with the answer of one submission, unless the page has been left. */
interface Then<D> {
  onSuccess?(data: D): unknown
  onSettled?(): unknown
}

/**
 * A submission that shows its errors: `const save = useSubmit('PUT /api/v1/user/edit')`, then `save.mutate({ body })`.
 * A second click while the same call is under way changes nothing.
 */
export function useSubmit<K extends RouteKey>(key: K) {
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
  const mutate = (input: Input<K> & CallOptions, { onSuccess, onSettled }: Then<Data<K>> = {}) =>
    void once(underWay, JSON.stringify(input), () =>
      mutation
        .mutateAsync(input)
        .then(
          data => here.current && onSuccess?.(data),
          // `onError` has shown why.
          () => {},
        )
        .then(() => here.current && onSettled?.()),
    )
  const { mutateAsync: _unguarded, ...state } = mutation
  return { ...state, mutate }
}
