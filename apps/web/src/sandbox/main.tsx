import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/query.ts'
import { addAreas, loadMessages } from '../i18n/messages.ts'
import { pageAreas, sandboxAreas } from '../i18n/pages.ts'
import '../theme/theme.ts'
import { addIcons } from '../ui/icons.tsx'
import { pageIcons } from '../ui/pageIcons.ts'
import { shellIcons } from '../ui/shellIcons.ts'
import '../ui/app.css'
import { Page } from './Page.tsx'

addAreas({ ...pageAreas, ...sandboxAreas })
await loadMessages('common', 'sandbox')

addIcons({ ...shellIcons, ...pageIcons })
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
)
