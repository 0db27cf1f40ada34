import { formatExactAmount } from '@coffer/contract/kit/format-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/index.ts'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { joinList } from '../../i18n/listed.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { forgetToken, goToLogin } from '../../lib/session.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import { AuthenticatorDialog } from './AuthenticatorDialog.tsx'
import { ConfirmationMethodDialog } from './ConfirmationMethodDialog.tsx'
import type { AccountDialog, AccountDialogProps } from './dialogs.ts'
import { EditDialog } from './EditDialog.tsx'
import { MailboxDialog } from './MailboxDialog.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
import { PhoneDialog } from './PhoneDialog.tsx'
import { RecoveryDialog } from './RecoveryDialog.tsx'
import { stackLines } from './stackLines.tsx'
import { WalletDialog } from './WalletDialog.tsx'

const dialogs = {
  edit: EditDialog,
  password: PasswordDialog,
  authenticator: AuthenticatorDialog,
  recovery: RecoveryDialog,
  mailbox: MailboxDialog,
  phone: PhoneDialog,
  wallet: WalletDialog,
  switch: ConfirmationMethodDialog,
  close: CloseDialog,
} satisfies Record<AccountDialog, (props: AccountDialogProps) => unknown>

/** Closes the account permanently. */
function CloseDialog({ onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const inLanguage = useCell(language)
  const proof = useProof('close-account')
  const { data } = useQuery({ ...apiQuery('GET /api/v1/user/closing', {}), staleTime: 0 })
  const left = joinList(
    (data?.dust ?? []).map(
      ({ amount, token, chain }) => `${formatExactAmount(amount, inLanguage)} ${token} · ${chain}`,
    ),
  )
  if (data && data.blocked_by.length > 0)
    return (
      <Modal
        open
        size="small"
        title={t.closeBlocked}
        onClose={onClose}
        actions={<Button onClick={onClose}>{common.close}</Button>}
      >
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
          {data.blocked_by.map(each => (
            <li key={each}>{t.blocks[each]}</li>
          ))}
        </ul>
      </Modal>
    )
  return (
    <ActionForm
      danger
      title={t.closeTitle}
      text={stackLines(t.closeConfirm, left && t.closeForfeit(left))}
      verb={t.close}
      proof={proof}
      call={async (_values, { proof }) =>
        proof && api('DELETE /api/v1/user', { body: { proof, forfeit: left !== '' } })
      }
      onDone={() => {
        forgetToken()
        goToLogin('closed')
      }}
      onClose={onClose}
    />
  )
}

/** The open dialog. All dialogs are loaded when the first one opens. */
export default function Dialogs({ dialog, ...props }: AccountDialogProps & { dialog: AccountDialog }) {
  const Open = dialogs[dialog]
  return <Open {...props} />
}
