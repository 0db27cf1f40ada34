/** @jsxImportSource preact */
import { render } from 'preact'
import { language, rememberLanguage } from '../i18n/language.ts'
import '../theme/theme.ts'
import './checkout.css'
import { Page } from './Page.tsx'
import { wordsIn } from './words.ts'

const tradeNo = location.pathname.split('/')[2] ?? ''
rememberLanguage(language.get())
render(<Page tradeNo={tradeNo} words={await wordsIn()} />, document.getElementById('root')!)
