import type { Data } from '../api/index.ts'
import { storeToken } from '../lib/session.ts'

export type Config = Data<'GET /api/v1/public/config'>
export type View = 'signIn' | 'register' | 'forgot'

/** Props of every view of the login page. */
export interface ViewProps {
  config: Config | null
  /** Kept when the view changes. */
  email: string
  onEmail(email: string): void
  onView(view: View): void
  onDone(answer: { token: string; verification: boolean }): void
}

/** Stores the token and opens the back-office. */
export function enter(token: string): void {
  storeToken(token)
  location.replace('/')
}
