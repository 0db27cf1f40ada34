import { isPhoneAgent } from './device.ts'
import { readStored, writeStored } from './storage.ts'

/** The signed-in merchant's token, as it is sent in X-Token. */
export const readToken = (): string | null => readStored('token')
export const storeToken = (token: string): void => writeStored('token', token)
export const forgetToken = (): void => writeStored('token', null)

export const loginPath = (): string => (isPhoneAgent(navigator.userAgent) ? '/m/login' : '/login')

const noticeName = 'notice'

/** Leaves for the login page. With a notice, that page says it again, because a message here goes with this page. */
export function goToLogin(notice?: 'expired'): void {
  if (location.pathname === loginPath()) return
  if (notice) {
    try {
      sessionStorage.setItem(noticeName, notice)
    } catch {
      // The message is lost; the redirect is what counts.
    }
  }
  location.assign(loginPath())
}

/** What the login page has to say on arrival, once. */
export function takeNotice(): string | null {
  try {
    const notice = sessionStorage.getItem(noticeName)
    sessionStorage.removeItem(noticeName)
    return notice
  } catch {
    return null
  }
}
