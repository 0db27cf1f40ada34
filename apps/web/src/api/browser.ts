import type { RouteTable } from '@coffer/contract/kit/typed.ts'
import { languages } from '@coffer/contract/languages.ts'
import { language } from '../i18n/language.ts'
import { messages } from '../i18n/messages.ts'
import { forgetToken, openShop, readSignInPass, readToken, storeToken } from '../lib/session.ts'
import { queueErrorToast, showToast } from '../lib/toast.ts'
import { browserZone } from '../lib/zone.ts'
import { type Client, type ClientDeps, createClient } from './client.ts'

/** A client of the server that this page came from, with the session that the browser holds for it. */
export const createBrowserClient = <T extends RouteTable>(own: Pick<ClientDeps, 'fetch' | 'goToLogin'>): Client<T> =>
  createClient<T>({
    ...own,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
    language: () => languages[language.get()].tag,
    timeZone: browserZone,
    token: readToken,
    storeToken,
    openShop,
    forgetToken,
    pass: readSignInPass,
    work: async challenge => (await import('./work.ts')).computeWorkHeader(challenge),
    showError: message => queueErrorToast(message || messages('common').operationFailed),
    showLoginExpired: why => showToast('error', why ?? messages('common').loginExpired),
  })
