import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiQuery } from '../api/query.ts'
import { browserZone, keepZoneOf, merchantZone } from '../lib/zone.ts'

/**
 * Corrects `merchantZone` by the account. A zone that the browser does not know is replaced by the browser's, and so is one that
 * cannot be loaded, unless that of the last visit is known.
 */
export function useZone(): void {
  const { data, isError } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  useEffect(() => {
    if (data) keepZoneOf(data)
    else if (isError) merchantZone.set(merchantZone.get() ?? browserZone())
  }, [data, isError])
}
