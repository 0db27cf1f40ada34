import { useQuery } from '@tanstack/react-query'
import { knownZone } from '../lib/days.ts'
import { apiQuery } from './query.ts'

export interface Zone {
  /** Undefined for the reader's own zone. */
  name: string | undefined
  /** Display name, such as Asia/Shanghai. */
  title: string
}

/** The time zone of the merchant's days; undefined while loading. */
export function useMerchantZone(): Zone | undefined {
  const { data, isPending } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  if (isPending) return undefined
  const name = knownZone(data?.time_zone)
  return { name, title: name ?? Intl.DateTimeFormat().resolvedOptions().timeZone }
}
