import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { addAreas, loadMessages, messages } from '../i18n/messages.ts'
import { signInAreas } from '../i18n/sign-in.ts'
import { pathAfterLogin, readToken, storeSignInPass, takeNotice } from '../lib/session.ts'
import '../theme/theme.ts'
import { showToast } from '../lib/toast.ts'
import { Login } from './Login.tsx'
import { parseLoginView } from './view.ts'
import './login.css'

const left = takeNotice()
// The links of mails are also opened by whoever is signed in.
if (readToken() !== null && !['not-me', 'invitation'].includes(parseLoginView(location.hash))) {
  // Another tab may have moved the session while this one still asked with the token before.
  location.replace(pathAfterLogin())
} else {
  const [, pass] = /^#pass=([\w.-]+)$/.exec(location.hash) ?? []
  if (pass) {
    storeSignInPass(pass)
    history.replaceState(null, '', location.pathname)
  }
  addAreas(signInAreas)
  await loadMessages('common', 'login')
  const { loginExpired, accountHeld, accountClosed } = messages('common')
  if (left === 'expired') showToast('error', loginExpired)
  const done = { held: accountHeld, closed: accountClosed }[left ?? '']
  // Passkeys are offered in the email field, once somebody is there.
  for (const type of ['pointermove', 'focusin'])
    addEventListener(type, () => void import('./autofill.ts'), { once: true })
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Login why={left === 'expired' || done ? null : left} done={done} />
    </StrictMode>,
  )
}
