import { openPage } from '../visitor/open.tsx'
import './checkout.css'
import { Page } from './Page.tsx'
import { tables } from './words.ts'

await openPage(Page, tables)
