import { useQuery } from '@tanstack/react-query'
import { knownZone } from '../lib/days.ts'
import { apiQuery } from './query.ts'

export interface Zone {
  /** Undefined: the reader's own. */
  name: string | undefined
  /** As it is said to people: Asia/Shanghai. */
  title: string
}

/** The time zone in which the merchant's days are counted. Undefined until it is known. */
export function useMerchantZone(): Zone | undefined {
  const { data, isPending } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  if (isPending) return undefined
  const name = knownZone(data?.time_zone)
  return { name, title: name ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
}
