import { ApprovePage } from './ApprovePage.tsx'
import { openLink } from './open.tsx'

const tables = { en: () => import('../i18n/en/approve.ts'), 'zh-CN': () => import('../i18n/zh-CN/approve.ts') }

// The secret is in the fragment, which browsers do not send and servers do not log.
await openLink(ApprovePage, tables, location.hash.slice(1))
