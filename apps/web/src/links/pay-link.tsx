/** @jsxImportSource preact */
import { render } from 'preact'
import { language, rememberLanguage } from '../i18n/language.ts'
import '../theme/theme.ts'
import './links.css'
import { PayLinkPage, wordsIn } from './PayLinkPage.tsx'

const token = location.pathname.split('/')[2] ?? ''
rememberLanguage(language.get())
render(<PayLinkPage token={token} words={await wordsIn(language.get())} />, document.getElementById('root')!)
