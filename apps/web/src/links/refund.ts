import './links.css'
import { openPage } from '../visitor/open.tsx'
import { RefundPage } from './RefundPage.tsx'

const tables = { en: () => import('../i18n/en/claim.ts'), 'zh-CN': () => import('../i18n/zh-CN/claim.ts') }

await openPage(RefundPage, tables)
