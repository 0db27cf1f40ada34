import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { consoleAreas } from '../i18n/console.ts'
import { addAreas, loadMessages } from '../i18n/messages.ts'
import { pageAreas } from '../i18n/pages.ts'
import { makeRouter } from '../kit/router/makeRouter.tsx'
import '../theme/theme.ts'
import { browserZone, shownZone } from '../lib/zone.ts'
import { addIcons } from '../ui/icons.tsx'
import { pageIcons } from '../ui/pageIcons.ts'
import { shellIcons } from '../ui/shellIcons.ts'
import './shell/console.css'
import { enter, queryClient } from './kit/api.ts'
import { routes } from './routes.ts'
import { Console } from './shell/Console.tsx'
import { Shell } from './shell/Shell.tsx'

const pages = import.meta.glob<{ default: ComponentType }>('./features/*/*Page.tsx')

addAreas({ ...pageAreas, ...consoleAreas })
await loadMessages('common', 'shell', 'operator')

shownZone.set(browserZone())
addIcons({ ...shellIcons, ...pageIcons })

/** The page /sandbox leads here: only a sandbox answers this call. */
if (location.hash === '#sandbox') {
  history.replaceState(null, '', '/')
  const answer = await fetch('/sandbox/enter', { method: 'POST' })
    .then(response => response.json() as Promise<{ data?: { token?: string } }>)
    .catch(() => undefined)
  if (answer?.data?.token) enter(answer.data.token)
}

const router = makeRouter({ routes, root: Shell, pageOf: ({ page }) => pages[`./features/${page}.tsx`]! })
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={null}>
        <Console router={router} />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
)
