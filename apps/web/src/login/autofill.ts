import { loginType } from '@coffer/contract/codes.ts'
import { api, request } from '../api/index.ts'
import { canAutofillPasskeys, canUsePasskeys, signWithPasskey } from '../kit/passkey.ts'
import { openBackOffice } from './view.ts'

/** Shorter than a challenge is valid, in ms. */
const renewMs = 240_000

/** Offers passkeys in the email field until one is used; another request of the page takes the place of this one. */
async function offer(): Promise<void> {
  const { code, data } = await request('GET /api/v1/public/login/passkey', { token: null })
  if (code !== 200 || !data) return
  const timer = setTimeout(() => location.hash === '' && void offer().catch(() => {}), renewMs)
  const passkey = await signWithPasskey(data, { autofill: true })
  clearTimeout(timer)
  const { token } = await api('POST /api/v1/public/login', { body: { type: loginType.login, passkey }, token: null })
  openBackOffice(token)
}

// Without support, or when nobody takes the offer, the page has its other ways.
if (canUsePasskeys() && (await canAutofillPasskeys().catch(() => false))) void offer().catch(() => {})
