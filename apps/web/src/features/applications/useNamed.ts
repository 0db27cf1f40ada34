import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { explainFailure } from '../../api/explain.ts'
import { apiQuery, queryClient } from '../../api/query.ts'
import type { Application } from './settings.ts'

/** Opens the application that the address names (`?appid=`), once: the name leaves the address with it. */
export function useNamed(onFound: (application: Application) => void): void {
  const { appid, ...rest }: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = useEffectEvent(async (named: string) => {
    void navigate({ to: '.', search: rest as never, replace: true, resetScroll: false })
    try {
      onFound(await queryClient.fetchQuery(apiQuery('GET /api/v1/user/secret-key', { query: { appid: named } })))
    } catch (error) {
      explainFailure(error as Error)
    }
  })
  useEffect(() => {
    if (appid) void open(appid)
  }, [appid])
}
