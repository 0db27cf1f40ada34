import type { Data } from '../../api/index.ts'
import { refresh } from '../../api/query.ts'

export type User = Data<'GET /api/v1/user/info'>

export type Passkey = Data<'GET /api/v1/user/passkey'>['list'][number]
/** What is done with a passkey. */
export type PasskeyTask = { verb: 'add' } | { verb: 'rename' | 'remove'; passkey: Passkey }

/** The dialogs of the page, one per change. */
export type Dialog =
  | 'edit'
  | 'password'
  | 'authenticator'
  | 'recovery'
  | 'mailbox'
  | 'phone'
  | 'wallet'
  | 'switch'
  | 'close'

export interface DialogProps {
  user: User
  onClose(): void
}

/** Reads the account again after a change. */
export const refreshAccount = () =>
  refresh('GET /api/v1/user/info', 'GET /api/v1/user/sessions', 'GET /api/v1/user/log')
