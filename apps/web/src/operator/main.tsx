import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ComponentType, lazy, StrictMode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { consoleAreas } from '../i18n/console.ts'
import { language } from '../i18n/language.ts'
import { addAreas, loadMessages } from '../i18n/messages.ts'
import { pageAreas } from '../i18n/pages.ts'
import { signInAreas } from '../i18n/sign-in.ts'
import { makeRouter, type PageLoader } from '../kit/router/makeRouter.tsx'
import '../theme/theme.ts'
import { useCell } from '../lib/useCell.ts'
import { browserZone, displayTimeZone } from '../lib/zone.ts'
import { ConfirmHost } from '../ui/feedback/ConfirmHost.tsx'
import { Toasts } from '../ui/feedback/Toasts.tsx'
import { addIcons } from '../ui/icons.tsx'
import { pageIcons } from '../ui/pageIcons.ts'
import { shellIcons } from '../ui/shellIcons.ts'
import './shell/console.css'
import { isSignedIn, queryClient, startConsoleSession } from './kit/api.ts'
import { freshCodeRequest } from './kit/fresh.ts'
import { type ConsoleRouter, type Route, routes } from './routes.ts'
import { AllowedPage } from './shell/AllowedPage.tsx'
import { Shell } from './shell/Shell.tsx'

const SignIn = lazy(() => import('./shell/SignIn.tsx'))
const FreshCode = lazy(() => import('./shell/FreshCode.tsx'))

const pages = import.meta.glob<{ default: ComponentType }>('./features/*/*Page.tsx')

addAreas({ ...pageAreas, ...consoleAreas, ...signInAreas })
await loadMessages('common', 'shell', 'desktop', 'operator')

displayTimeZone.set(browserZone())
addIcons({ ...shellIcons, ...pageIcons })

/** The page /sandbox leads here: only a sandbox answers this call. */
if (location.hash === '#sandbox') {
  history.replaceState(null, '', '/')
  const answer = await fetch('/sandbox/enter', { method: 'POST' })
    .then(response => response.json() as Promise<{ data?: { token?: string } }>)
    .catch(() => undefined)
  if (answer?.data?.token) startConsoleSession(answer.data.token)
}

/** The operator's console: the sign-in, or the pages. */
function Console({ router }: { router: ConsoleRouter }) {
  const inside = useCell(isSignedIn)
  const inLanguage = useCell(language)
  const fresh = useCell(freshCodeRequest)
  useEffect(() => {
    document.documentElement.lang = inLanguage
  }, [inLanguage])
  return (
    <div className="flex min-h-dvh flex-col">
      {inside ? <RouterProvider router={router} /> : <SignIn />}
      {/* What is on screen stays while its code is loaded. */}
      <Suspense fallback={null}>{fresh && <FreshCode onAnswer={fresh.answer} />}</Suspense>
      <ConfirmHost />
      <Toasts />
    </div>
  )
}

/** Loads a page, which is drawn for roles that may read it. */
const loadPage =
  ({ page, call }: Route): PageLoader =>
  async () => {
    const { default: Page } = await pages[`./features/${page}.tsx`]!()
    return {
      default: () => (
        <AllowedPage call={call}>
          <Page />
        </AllowedPage>
      ),
    }
  }

const router = makeRouter({ routes, root: Shell, pageOf: loadPage })
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Suspense fallback={null}>
        <Console router={router} />
      </Suspense>
    </QueryClientProvider>
  </StrictMode>,
)
