import './links.css'
import { openPage } from '../visitor/open.tsx'
import { ApprovePage } from './ApprovePage.tsx'

const tables = { en: () => import('../i18n/en/approve.ts'), 'zh-CN': () => import('../i18n/zh-CN/approve.ts') }

// The secret is in the fragment, which browsers do not send and servers do not log.
// Another link opened in this tab changes only the fragment, with which the browser loads nothing.
addEventListener('hashchange', () => location.reload())
await openPage(ApprovePage, tables, location.hash.slice(1))
