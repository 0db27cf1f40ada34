import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { startLiveUpdates } from '../api/live.ts'
import { apiQuery, queryClient } from '../api/query.ts'
import { language } from '../i18n/language.ts'
import { useMessages } from '../i18n/messages.ts'
import { lazyComponent } from '../lib/later.tsx'
import { useMayOpen } from '../lib/refused.ts'
import { isSandbox } from '../lib/sandbox.ts'
import { useCell } from '../lib/useCell.ts'
import { applyAccountTimeZone, browserZone, displayTimeZone } from '../lib/zone.ts'
import { routes } from '../routes.ts'
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { applyRole } from './applyRole.ts'

const RefusedPage = lazyComponent(() => import('./RefusedPage.tsx'))
const FactorNotice = lazyComponent(() => import('./FactorNotice.tsx'))

/** Wraps every page: the device's shell, toasts, confirmation dialogs and the event stream. */
export function Root({ Shell }: { Shell: ComponentType<{ children: ReactNode }> }) {
  const path = useLocation({ select: location => location.pathname })
  useTitle(path)
  const isFactorMissing = useAccount()?.second_factor_needed
  const may = useMayOpen()
  useEffect(startLiveUpdates, [])
  // The server localises notifications and other texts, so refetch them in the new language.
  useEffect(() => language.subscribe(() => void queryClient.invalidateQueries()), [])
  return (
    <>
      <Shell>
        {isFactorMissing && <FactorNotice path={removeSlash(path)} />}
        {may(removeSlash(path)) ? <Outlet /> : <RefusedPage />}
      </Shell>
      <ConfirmHost />
      <Toasts />
    </>
  )
}

const removeSlash = (path: string) => (path.length > 1 ? path.replace(/\/$/, '') : path)

function useTitle(path: string) {
  const { productName, noMatch } = useMessages('common')
  const inLanguage = useCell(language)
  const title = routes.find(route => route.path === removeSlash(path))?.title[inLanguage] ?? noMatch
  useEffect(() => {
    document.title = `${title} · ${productName}`
  }, [title, productName])
}

/**
 * Applies what the account says: whether this is a sandbox, and the zone. A zone that the browser does not know is
 * replaced by the browser's, and so is one that cannot be loaded, unless that of the last visit is known. Returns it.
 */
function useAccount() {
  const { data, isError } = useQuery(apiQuery('GET /api/v1/user/info', {}))
  useEffect(() => {
    if (data) {
      isSandbox.set(data.sandbox)
      applyAccountTimeZone(data)
      void applyRole(data)
    } else if (isError) displayTimeZone.set(displayTimeZone.get() ?? browserZone())
  }, [data, isError])
  return data
}
