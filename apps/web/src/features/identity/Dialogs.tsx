import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import { AuthenticatorDialog } from './AuthenticatorDialog.tsx'
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

/** Closes the account permanently. */
function CloseDialog({ onClose }: DialogProps) {
  const t = useMessages('identity')
  return (
    <ActionForm
      danger
      title={t.closeTitle}
      text={t.closeConfirm}
      verb={t.close}
      proof={useProof('close-account')}
      call={async (_values, { proof }) => proof && api('DELETE /api/v1/user', { body: { proof } })}
      onDone={() => {
        forgetToken()
        goToLogin()
      }}
      onClose={onClose}
    />
  )
}

/** The open dialog. All dialogs are loaded when the first one opens. */
export default function Dialogs({ dialog, ...props }: DialogProps & { dialog: Dialog }) {
  const Open = dialogs[dialog]
  return <Open {...props} />
}
