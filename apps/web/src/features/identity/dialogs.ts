import type { RouteData } from '../../api/index.ts'
import { invalidateCalls } from '../../api/query.ts'

export type AccountUser = RouteData<'GET /api/v1/user/info'>

export type Passkey = RouteData<'GET /api/v1/user/passkey'>['list'][number]
/** What is done with a passkey. */
export type PasskeyTask = { verb: 'add' } | { verb: 'rename' | 'remove'; passkey: Passkey }

/** The dialogs of the page, one per change. */
export type AccountDialog =
  | 'edit'
  | 'password'
  | 'authenticator'
  | 'recovery'
  | 'mailbox'
  | 'phone'
  | 'wallet'
  | 'switch'
  | 'close'

export interface AccountDialogProps {
  user: AccountUser
  onClose(): void
}

/** Reads the account again after a change. */
export const refreshAccount = () =>
  invalidateCalls('GET /api/v1/user/info', 'GET /api/v1/user/sessions', 'GET /api/v1/user/log')
