import { isTimeZone } from '@coffer/contract/validators.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiQuery } from '../api/query.ts'
import { browserZone, merchantZone } from '../lib/zone.ts'

/** Sets `merchantZone` from the account. A zone that the browser does not know is replaced by the browser's. */
export function useZone(): void {
  const { data, isPending } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  useEffect(() => {
    if (!isPending) merchantZone.set(data && isTimeZone(data.time_zone) ? data.time_zone : browserZone())
  }, [data, isPending])
}
