import { isPhoneAgent } from '@coffer/contract/device.ts'
import { readStored, writeStored } from './storage.ts'

/** The signed-in merchant's token, sent as X-Token. */
export const readToken = (): string | null => readStored('token')
export const storeToken = (token: string): void => writeStored('token', token)
export function forgetToken(): void {
  writeStored('token', null)
  // The next merchant of this browser may have another.
  writeStored('zone', null)
}

export const loginPath = (): string => (isPhoneAgent(navigator.userAgent) ? '/m/login' : '/login')

const noticeName = 'notice'

/** Redirects to the login page, which shows the notice; a toast here would be lost with this page. */
export function goToLogin(notice?: 'expired'): void {
  if (location.pathname === loginPath()) return
  if (notice) {
    try {
      sessionStorage.setItem(noticeName, notice)
    } catch {
      // Without storage the notice is lost; the redirect still happens.
    }
  }
  location.assign(loginPath())
}

/** Returns and clears the notice for the login page. */
export function takeNotice(): string | null {
  try {
    const notice = sessionStorage.getItem(noticeName)
    sessionStorage.removeItem(noticeName)
    return notice
  } catch {
    return null
  }
}
