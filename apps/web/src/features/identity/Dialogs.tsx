import { AuthenticatorDialog } from './AuthenticatorDialog.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import type { Dialog, DialogProps } from './dialogs.ts'
import { EditDialog } from './EditDialog.tsx'
import { MailboxDialog } from './MailboxDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { PhoneDialog } from './PhoneDialog.tsx'
import { RecoveryDialog } from './RecoveryDialog.tsx'
import { SwitchDialog } from './SwitchDialog.tsx'
import { WalletDialog } from './WalletDialog.tsx'

const dialogs = {
  edit: EditDialog,
  password: PasswordDialog,
  authenticator: AuthenticatorDialog,
  recovery: RecoveryDialog,
  mailbox: MailboxDialog,
  phone: PhoneDialog,
  wallet: WalletDialog,
  switch: SwitchDialog,
  close: CloseDialog,
} satisfies Record<Dialog, (props: DialogProps) => unknown>

/** The open dialog. All dialogs are loaded when the first one opens. */
export default function Dialogs({ dialog, ...props }: DialogProps & { dialog: Dialog }) {
  const Open = dialogs[dialog]
  return <Open {...props} />
}
