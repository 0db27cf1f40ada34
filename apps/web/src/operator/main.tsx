import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { consoleAreas } from '../i18n/console.ts'
import { addAreas, loadMessages } from '../i18n/messages.ts'
import '../theme/theme.ts'
import { browserZone, merchantZone } from '../lib/zone.ts'
import { addIcons } from '../ui/icons.tsx'
import { pageIcons } from '../ui/pageIcons.ts'
import './operator.css'
import { enter, queryClient } from './api.ts'
import { Console } from './Console.tsx'

addAreas(consoleAreas)
await loadMessages('common', 'shell', 'operator')

merchantZone.set(browserZone())
addIcons(pageIcons)

/** The page /sandbox leads here: only a sandbox answers this call. */
if (location.hash === '#sandbox') {
  history.replaceState(null, '', '/')
  const answer = await fetch('/sandbox/enter', { method: 'POST' })
    .then(response => response.json() as Promise<{ data?: { token?: string } }>)
    .catch(() => undefined)
  if (answer?.data?.token) enter(answer.data.token)
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={null}>
        <Console />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
)
