import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { isCode, isEmail } from '@coffer/contract/validators.ts'
import { sendEmailCode } from '../../api/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../proof/ProofFields.tsx'
import { useProof } from '../../proof/useProof.ts'
import { CodeInput } from '../../ui/CodeInput.tsx'
import { Field } from '../../ui/Field.tsx'
import { SendCode } from '../../ui/SendCode.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { useForm } from '../../useForm.ts'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Moves to another mailbox: a code from there, and a proof from here. */
export function MailboxDialog({ onClose }: DialogProps) {
  const t = useMessages('account')
  const common = useMessages('common')
  const proof = useProof('mailbox')
  const form = useForm(
    { email: '', code: '' },
    { email: text => !isEmail(text.trim()) && common.validaEmail, code: text => !isCode(text) && common.validaCode },
  )
  const { values, errors, set } = form
  const email = values.email.trim()
  const send = () =>
    proof.confirm(async confirmed => {
      await api('PUT /api/v1/user/mailbox', { body: { email, code: values.code, ...confirmed } })
      await done(t.mailboxDone, onClose)
    })
  return (
    <FormModal title={t.mailboxTitle} verb={common.save} form={form} onSend={send} onClose={onClose}>
      <Field label={t.newMailbox} error={errors.email} required>
        {control => (
          <TextInput {...control} type="email" autoComplete="email" value={values.email} onChange={set('email')} />
        )}
      </Field>
      <Field label={t.newMailboxCode} error={errors.code} required>
        {control => (
          <div className="flex gap-2">
            <CodeInput {...control} value={values.code} onChange={set('code')} />
            <SendCode
              disabled={!isEmail(email)}
              send={() => sendEmailCode({ type: emailCodePurpose.updateMailboxNew, email })}
            />
          </div>
        )}
      </Field>
      <ProofFields proof={proof} />
    </FormModal>
  )
}
