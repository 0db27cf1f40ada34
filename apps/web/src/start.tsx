import { isPhoneAgent } from '@coffer/contract/kit/device.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { listPrefetchedCalls } from './api/early.ts'
import { apiQuery, queryClient } from './api/query.ts'
import type { RouteData } from './api/types.ts'
import type { Area } from './i18n/areas.ts'
import { loadMessages } from './i18n/messages.ts'
import { pathForDevice } from './lib/devicePath.ts'
import { readToken } from './lib/session.ts'
import { applyAccountTimeZone } from './lib/zone.ts'
import type { AppRouter } from './router.tsx'
import { applyRole } from './shells/applyRole.ts'
import './theme/theme.ts'
import { addIcons } from './ui/icons.tsx'
import { shellIcons } from './ui/shellIcons.ts'

/**
 * How long (ms) the first render waits for the page's code and early calls. Drawn at once, nothing moves and nothing is
 * drawn twice.
 */
const firstWaitMs = 300

function applyAccount(user: RouteData<'GET /api/v1/user/info'>): Promise<void> {
  applyAccountTimeZone(user)
  return applyRole(user)
}

/** Renders the back-office with the messages of its shell, or moves to the paths of this device. */
export async function startBackOffice(router: AppRouter, ...areas: Area[]): Promise<void> {
  const elsewhere = pathForDevice(location.pathname, isPhoneAgent(navigator.userAgent))
  if (elsewhere) return location.replace(elsewhere + location.search + location.hash)
  addIcons(shellIcons)
  const messages = loadMessages('common', 'shell', ...areas)
  if (readToken() !== null) {
    const account = queryClient.ensureQueryData(apiQuery('GET /api/v1/user/info', {}))
    const reads = listPrefetchedCalls().map(read => queryClient.prefetchQuery(apiQuery(...read)))
    await Promise.race([
      Promise.all([router.load(), account.then(applyAccount, () => {}), ...reads]),
      new Promise(resolve => setTimeout(resolve, firstWaitMs)),
    ])
  }
  await messages
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
