import { isPhoneAgent } from '@coffer/contract/kit/device.ts'
import { readSessionStorage, readStored, takeFromSessionStorage, writeSessionStorage, writeStored } from './storage.ts'

/** Called when this tab has stored another token; the browser reports those of other tabs by `storage` events. */
const onStored = new Set<() => void>()

/** Changes when the session of this browser is moved to another shop. */
let shopMark = readStored('shop')
const isMoved = () => readStored('shop') !== shopMark

/**
 * The signed-in merchant's token, sent as X-Token. A tab that still shows the shop before reloads instead: it must not
 * act for one that it does not show.
 */
export function readToken(): string | null {
  if (!isMoved()) return readStored('token')
  location.reload()
  return null
}
export function storeToken(token: string): void {
  writeStored('token', token)
  writeStored('ended', null)
  for (const listener of onStored) listener()
}

/** Calls `listener` when the token was replaced, by this tab or by another. Returns a function that stops it. */
export function onTokenChange(listener: (from: 'this tab' | 'another tab') => void): () => void {
  const here = () => listener('this tab')
  const elsewhere = ({ key }: StorageEvent) => key === 'token' && listener('another tab')
  onStored.add(here)
  addEventListener('storage', elsewhere)
  return () => {
    onStored.delete(here)
    removeEventListener('storage', elsewhere)
  }
}

/** Stores the token of a session that was moved to another shop, and opens that. */
export function openShop(token: string): void {
  shopMark = crypto.randomUUID()
  writeStored('shop', shopMark)
  writeStored('token', token)
  location.replace(loginPath().replace('login', ''))
}

export function forgetToken(): void {
  if (isMoved()) return
  writeStored('token', null)
  // The next merchant of this browser may have another.
  writeStored('zone', null)
  writeStored('refused', null)
}

export const loginPath = (): string => (isPhoneAgent(navigator.userAgent) ? '/m/login' : '/login')

const noticeName = 'notice'
const passName = 'pass'
const returnName = 'return'

/**
 * Redirects to the login page. Where the session is missing or has expired, that page leads back to this one, and says
 * why (`text`: in the server's words): a toast here would be lost. Calls that fail while this page is left know less
 * than the first, and other tabs, whose token is gone, nothing: the words stay until somebody signs in.
 */
export function goToLogin(reason?: 'expired' | 'missing' | 'held' | 'closed', text?: string): void {
  if (location.pathname === loginPath()) return
  if (reason === 'expired' || reason === 'missing') writeSessionStorage(returnName, location.pathname + location.search)
  if (text) writeStored('ended', text)
  const why = readSessionStorage(noticeName) ?? text ?? readStored('ended') ?? reason
  if (reason && why !== 'missing') writeSessionStorage(noticeName, why ?? reason)
  location.assign(loginPath())
}

/** The secret of a mailed link that lets this tab sign in while strangers guess. */
export const readSignInPass = (): string | null => readSessionStorage(passName)
export const storeSignInPass = (pass: string): void => writeSessionStorage(passName, pass)

/** Returns and clears the notice for the login page. */
export const takeNotice = (): string | null => takeFromSessionStorage(noticeName)

/** Leads from the login page to another of its views once somebody has signed in. */
export const returnTo = (path: string): void => writeSessionStorage(returnName, path)

/** Where to go after signing in: the page on which the session had expired, else the first one. */
export const pathAfterLogin = (): string => takeFromSessionStorage(returnName) ?? loginPath().replace('login', '')
