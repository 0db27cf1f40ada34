import './proof.css'
import { openPage } from '../visitor/open.tsx'
import { ProofPage } from './ProofPage.tsx'

const tables = { en: () => import('../i18n/en/reserves.ts'), 'zh-CN': () => import('../i18n/zh-CN/reserves.ts') }

await openPage(ProofPage, tables)
