import { queryOptions } from '@tanstack/react-query'
import { cancelErrorToast } from '../lib/toast.ts'
import { RequestRefused } from './failure.ts'
import { api } from './index.ts'
import { makeQueryClient } from './queryClient.ts'
import type { CallInput, RouteData, RouteKey } from './types.ts'

const freshMs = 15_000

export const queryClient = makeQueryClient(api, freshMs)

/**
 * Query options of a GET call: `useQuery(apiQuery('GET /api/v1/user/info', {}))`. The query key starts with the call.
 */
export const apiQuery = <K extends RouteKey & `GET ${string}`>(key: K, input: CallInput<K>) =>
  queryOptions<RouteData<K>>({ queryKey: [key, input] })

/** A read whose refusal the page shows in its place, instead of in a toast. */
export const suppressRefusalToast = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    if (error instanceof RequestRefused) cancelErrorToast(error.message)
    throw error
  })

/** Invalidates all queries of these calls. */
export const invalidateCalls = (...keys: (RouteKey & `GET ${string}`)[]): Promise<unknown> =>
  Promise.all(keys.map(key => queryClient.invalidateQueries({ queryKey: [key] })))
