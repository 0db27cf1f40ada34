import { emailCodePurpose } from '@coffer/contract/codes.ts'
import { isCode, isEmail } from '@coffer/contract/validators.ts'
import { sendEmailCode } from '../../api/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { CodeInput } from '../../ui/controls/CodeInput.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { SendCode } from '../../ui/controls/SendCode.tsx'
import { TextInput } from '../../ui/controls/TextInput.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Changes the email: a code sent to the new one, and a proof by an existing method. */
export function MailboxDialog({ onClose }: DialogProps) {
  const t = useMessages('identity')
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
