import './links.css'
import { openPage } from '../visitor/open.tsx'
import { PayLinkPage } from './PayLinkPage.tsx'

const tables = { en: () => import('../i18n/en/pay-link.ts'), 'zh-CN': () => import('../i18n/zh-CN/pay-link.ts') }

await openPage(PayLinkPage, tables)
