import type { Data } from '../../api/index.ts'

export type User = Data<'GET /api/v1/user/info'>

/** What can be changed here, each in a dialog of its own. */
export type Dialog = 'edit' | 'password' | 'authenticator' | 'mailbox' | 'phone' | 'close'

export interface DialogProps {
  user: User
  onClose(): void
}
