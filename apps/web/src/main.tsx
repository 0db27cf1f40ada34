import { addAreas } from './i18n/messages.ts'
import { pageAreas } from './i18n/pages.ts'
import { findDesktopPage } from './pages.ts'
import { makeRouter } from './router.tsx'
import { Desktop } from './shells/desktop/Desktop.tsx'
import { startBackOffice } from './start.tsx'
import { addIcons } from './ui/icons.tsx'
import { pageIcons } from './ui/pageIcons.ts'
import './ui/app.css'

addAreas(pageAreas)
addIcons(pageIcons)
void startBackOffice(makeRouter({ shell: Desktop, pageOf: findDesktopPage }), 'desktop')
