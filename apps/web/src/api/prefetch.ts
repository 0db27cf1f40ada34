import { useEffect } from 'react'
import { apiQuery, queryClient } from './query.ts'
import type { Input, RouteKey } from './types.ts'

/** Long enough for the rows that were just asked for to be drawn first. */
const afterMs = 100

/** Fetches beforehand what is likely to be asked for next (the next page of a list), once the page has been drawn. */
export function usePrefetch<K extends RouteKey & `GET ${string}`>(key: K, input: Input<K> | undefined): void {
  const text = input && JSON.stringify(input)
  useEffect(() => {
    if (text === undefined) return
    const timer = setTimeout(() => void queryClient.prefetchQuery(apiQuery(key, JSON.parse(text))), afterMs)
    return () => clearTimeout(timer)
  }, [key, text])
}
