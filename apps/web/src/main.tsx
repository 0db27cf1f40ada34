import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { apiQuery, queryClient } from './api/query.ts'
import { loadMessages } from './i18n/messages.ts'
import { readToken } from './lib/session.ts'
import { router } from './router.tsx'
import './theme/theme.ts'
import { addIcons } from './ui/icons.tsx'
import { pageIcons } from './ui/pageIcons.ts'
import './ui/app.css'

/** How long (ms) the first render waits for the account, whose notices would move the page if they came after it. */
const accountWaitMs = 300

await loadMessages('common', 'shell')
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
