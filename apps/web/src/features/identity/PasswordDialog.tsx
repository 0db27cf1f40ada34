import { isPassword } from '@coffer/contract/validators.ts'
import { encodePassword } from '../../api/encode.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { PasswordInput } from '../../ui/controls/PasswordInput.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

/** Changes the password, or sets the first one of an account created by third-party sign-in. */
export function PasswordDialog({ user, onClose }: DialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const proof = useProof('password')
  const form = useForm(
    { old_password: '', password: '', confirm_password: '' },
    {
      old_password: text => user.password && text === '' && common.required,
      password: (text, { old_password }) =>
        !isPassword(text) ? common.validaPwd : text === old_password && common.passwordSame,
      confirm_password: (text, { password }) => text !== password && common.passwordsDiffer,
    },
  )
  const { values, errors, set } = form
  const send = () =>
    proof.confirm(async confirmed => {
      await api('PUT /api/v1/user/password', {
        body: {
          ...(user.password && { old_password: encodePassword(values.old_password) }),
          password: encodePassword(values.password),
          confirm_password: encodePassword(values.confirm_password),
          ...confirmed,
        },
      })
      await done(t.passwordDone, onClose)
    })
  return (
    <FormModal
      title={user.password ? t.changePassword : t.setPassword}
      verb={common.save}
      form={form}
      onSend={send}
      onClose={onClose}
    >
      {user.password && (
        <Field label={t.oldPassword} error={errors.old_password} required>
          {control => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              value={values.old_password}
              onChange={set('old_password')}
            />
          )}
        </Field>
      )}
      <Field label={t.newPassword} hint={t.passwordText} error={errors.password} required>
        {control => (
          <PasswordInput {...control} autoComplete="new-password" value={values.password} onChange={set('password')} />
        )}
      </Field>
      <Field label={t.confirmPassword} error={errors.confirm_password} required>
        {control => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            value={values.confirm_password}
            onChange={set('confirm_password')}
          />
        )}
      </Field>
      <ProofFields proof={proof} />
    </FormModal>
  )
}
