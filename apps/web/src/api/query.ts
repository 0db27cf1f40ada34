import { QueryClient, queryOptions, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { once } from '../lib/once.ts'
import { explainFailure } from './explain.ts'
import { api } from './index.ts'
import type { CallOptions, Data, Input, RouteKey } from './types.ts'

const freshMs = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    // The transport retries already; a second layer would multiply the attempts.
    queries: { retry: false, staleTime: freshMs, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
})

/** Query options of a GET call: `useQuery(apiQuery('GET /api/v1/user/info', {}))`. The query key starts with the call. */
export const apiQuery = <K extends RouteKey & `GET ${string}`>(key: K, input: Input<K>) =>
  queryOptions<Data<K>>({
    queryKey: [key, input],
    queryFn: ({ signal }) => api(key, { ...input, signal }),
  })

/** Invalidates all queries of these calls. */
export const refresh = (...keys: (RouteKey & `GET ${string}`)[]): Promise<unknown> =>
  Promise.all(keys.map(key => queryClient.invalidateQueries({ queryKey: [key] })))

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
  return { ...mutation, mutate }
}
