import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { apiQuery } from '../api/query.ts'
import { browserZone, keepZoneOf, shownZone } from '../lib/zone.ts'

/**
 * Corrects `shownZone` by the account. A zone that the browser does not know is replaced by the browser's, and so is one that
 * cannot be loaded, unless that of the last visit is known.
 */
export function useZone(): void {
  const { data, isError } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  useEffect(() => {
    if (data) keepZoneOf(data)
    else if (isError) shownZone.set(shownZone.get() ?? browserZone())
  }, [data, isError])
}
