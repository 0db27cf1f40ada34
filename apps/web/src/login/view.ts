import type { RouteData } from '../api/index.ts'
import { pathAfterLogin, storeToken } from '../lib/session.ts'

export type LoginConfig = RouteData<'GET /api/v1/public/config'>
/**
 * The views with a fragment of their own, such as `/login#register`; without one the page shows the sign-in. A secret
 * may follow `=`.
 */
const views = ['code', 'more', 'register', 'forgot', 'not-me', 'invitation'] as const
export type LoginView = (typeof views)[number] | 'signIn'

/** Returns the view that the URL names. */
export const parseLoginView = (hash: string): LoginView =>
  views.find(view => hash.split('=', 1)[0] === `#${view}`) ?? 'signIn'

/** Props of every view of the login page. */
export interface LoginViewProps {
  config: LoginConfig | null
  /** Stays when the view changes. */
  email: string
  onEmail(email: string): void
  /** Says above the sign-in what has happened, until somebody signs in: it takes longer to read than a toast stays. */
  onNews(text: string): void
  onDone(answer: { token: string; verification: boolean }): void
}

/** Stores the token and opens the back-office, on the page that the expired session has left. */
export function openBackOffice(token: string): void {
  storeToken(token)
  location.replace(pathAfterLogin())
}
