import type { Data } from '../api/index.ts'
import { storeToken } from '../lib/session.ts'

export type Config = Data<'GET /api/v1/public/config'>
export type View = 'signIn' | 'register' | 'forgot'

/** What every view of the login page is given. */
export interface ViewProps {
  config: Config | null
  /** Typed once, it stays while the view changes. */
  email: string
  onEmail(email: string): void
  onView(view: View): void
  onDone(answer: { token: string; verification: boolean }): void
}

/** Keeps the token and starts the back-office. */
export function enter(token: string): void {
  storeToken(token)
  location.replace('/')
}
