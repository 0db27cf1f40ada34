import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMessages, messages } from '../i18n/messages.ts'
import { keepPass, readToken, takeNotice } from '../lib/session.ts'
import '../theme/theme.ts'
import { showToast } from '../lib/toast.ts'
import { Login } from './Login.tsx'
import { type News, viewOf } from './view.ts'
import './login.css'

const left = takeNotice()
// The link of a mail is also opened by whoever is signed in.
if (readToken() !== null && viewOf(location.hash) !== 'not-me') {
  location.replace('/')
} else {
  const [, pass] = /^#pass=([\w.-]+)$/.exec(location.hash) ?? []
  if (pass) {
    keepPass(pass)
    history.replaceState(null, '', location.pathname)
  }
  await loadMessages('common', 'login')
  const { loginExpired, accountHeld, accountClosed } = messages('common')
  if (left === 'expired') showToast('error', loginExpired)
  const known: Record<string, News> = {
    held: { kind: 'info', text: accountHeld },
    closed: { kind: 'success', text: accountClosed },
  }
  const why = left === null || left === 'expired' ? null : (known[left] ?? { kind: 'error', text: left })
  // Passkeys are offered in the email field, once somebody is there.
  for (const type of ['pointermove', 'focusin'])
    addEventListener(type, () => void import('./autofill.ts'), { once: true })
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Login why={why} />
    </StrictMode>,
  )
}
