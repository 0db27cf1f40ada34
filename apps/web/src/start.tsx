import { isPhoneAgent } from '@coffer/contract/device.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { apiQuery, queryClient } from './api/query.ts'
import type { Area } from './i18n/areas.ts'
import { loadMessages } from './i18n/messages.ts'
import { pathForDevice } from './lib/devicePath.ts'
import { readToken } from './lib/session.ts'
import type { AppRouter } from './router.tsx'
import './theme/theme.ts'
import { addIcons } from './ui/icons.tsx'
import { pageIcons } from './ui/pageIcons.ts'

/** How long (ms) the first render waits for the account, whose notices would move the page if they came after it. */
const accountWaitMs = 300

/** Renders the back-office with the messages of its shell, or moves to the paths of this device. */
export async function start(router: AppRouter, ...areas: Area[]): Promise<void> {
  const elsewhere = pathForDevice(location.pathname, isPhoneAgent(navigator.userAgent))
  if (elsewhere) return location.replace(elsewhere + location.search + location.hash)
  await loadMessages('common', 'shell', ...areas)
  if (readToken() !== null)
    await Promise.race([
      queryClient.prefetchQuery(apiQuery('GET /api/v1/user/info', {})),
      new Promise(resolve => setTimeout(resolve, accountWaitMs)),
    ])
  addIcons(pageIcons)
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
