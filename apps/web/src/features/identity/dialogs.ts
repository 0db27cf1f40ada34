import type { Data } from '../../api/index.ts'

export type User = Data<'GET /api/v1/user/info'>

/** The dialogs of the page, one per change. */
export type Dialog = 'edit' | 'password' | 'authenticator' | 'mailbox' | 'phone' | 'close'

export interface DialogProps {
  user: User
  onClose(): void
}
