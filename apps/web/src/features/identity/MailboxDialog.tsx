import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { isEmail, isSixDigitCode } from '@coffer/contract/kit/validators.ts'
import { sendEmailCode } from '../../api/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'

/** Changes the email: a code sent to the new one, and a proof by an existing method. */
export function MailboxDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  return (
    <ActionForm
      title={t.mailboxTitle}
      text={t.holds(user.hold_hours)}
      verb={common.save}
      size="medium"
      initial={{ email: '', code: '' }}
      fields={values => {
        const email = values.email.trim()
        return [
          {
            name: 'email',
            label: t.newMailbox,
            required: true,
            type: 'email',
            autoComplete: 'email',
            rule: text => !isEmail(text.trim()) && common.validaEmail,
          },
          {
            name: 'code',
            kind: 'code',
            label: isEmail(email) ? t.codeSentTo(email) : t.newMailboxCode,
            required: true,
            rule: text => !isSixDigitCode(text) && common.validaCode,
            unready: !isEmail(email),
            to: email,
            send: () => sendEmailCode({ type: emailCodePurpose.updateMailboxNew, email }),
          },
        ]
      }}
      proof={{ ...useProof('mailbox'), named: t.codeSentTo }}
      call={async ({ email, code }, confirmed) => {
        await api('PUT /api/v1/user/mailbox', { body: { email: email.trim(), code, ...confirmed } })
        await refreshAccount()
      }}
      done={t.mailboxDone}
      onClose={onClose}
    />
  )
}
