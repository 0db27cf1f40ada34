/** @jsxImportSource preact */
import { render } from 'preact'
import { language, rememberLanguage } from '../i18n/language.ts'
import '../theme/theme.ts'
import { RefundPage, wordsIn } from './RefundPage.tsx'
import './links.css'

const token = location.pathname.split('/')[2] ?? ''
rememberLanguage(language.get())
render(<RefundPage token={token} words={await wordsIn(language.get())} />, document.getElementById('root')!)
