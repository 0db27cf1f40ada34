import { languages } from '@coffer/contract/languages.ts'
import { language } from '../i18n/language.ts'
import { messages } from '../i18n/messages.ts'
import { forgetToken, goToLogin, readToken, storeToken } from '../lib/session.ts'
import { showErrorSoon, showToast } from '../lib/toast.ts'
import { createClient } from './client.ts'
import { fetchOrTake } from './early.ts'

/** The API client. Pages use `api`; `request` is for callers that handle codes themselves. */
export const { api, request, open } = createClient({
  fetch: fetchOrTake,
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  language: () => languages[language.get()].tag,
  token: readToken,
  storeToken,
  forgetToken,
  showError: message => showErrorSoon(message || messages('common').operationFailed),
  showLoginExpired: () => showToast('error', messages('common').loginExpired),
  goToLogin: () => goToLogin('expired'),
})

export { type NotSentReason, Refused, Unanswered } from './failure.ts'
export type { CallOptions, Data, Input, Reply, RouteKey } from './types.ts'
