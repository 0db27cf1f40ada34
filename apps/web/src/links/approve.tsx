/** @jsxImportSource preact */
import { render } from 'preact'
import { language, rememberLanguage } from '../i18n/language.ts'
import '../theme/theme.ts'
import { ApprovePage, wordsIn } from './ApprovePage.tsx'
import './links.css'

// The secret is in the fragment, which browsers do not send and servers do not log.
const token = location.hash.slice(1)
rememberLanguage(language.get())
render(<ApprovePage token={token} words={await wordsIn(language.get())} />, document.getElementById('root')!)
