import { isPassword } from '@coffer/contract/kit/validators.ts'
import { encodePassword } from '../../api/encode.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'

/** Changes the password, or sets the first one of an account created by third-party sign-in. */
export function PasswordDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const fresh = { kind: 'password', required: true, autoComplete: 'new-password' } as const
  return (
    <ActionForm
      title={user.password ? t.changePassword : t.setPassword}
      verb={common.save}
      size="medium"
      initial={{ old_password: '', password: '', confirm_password: '' }}
      fields={[
        user.password && { ...fresh, name: 'old_password', label: t.oldPassword, autoComplete: 'current-password' },
        {
          ...fresh,
          name: 'password',
          label: t.newPassword,
          hint: t.passwordText,
          rule: (text, { old_password }) =>
            !isPassword(text) ? common.validaPwd : text === old_password && common.passwordSame,
        },
        {
          ...fresh,
          name: 'confirm_password',
          label: t.confirmPassword,
          rule: (text, { password }) => text !== password && common.passwordsDiffer,
        },
      ]}
      proof={useProof('password')}
      call={async ({ old_password, password, confirm_password }, confirmed) => {
        await api('PUT /api/v1/user/password', {
          body: {
            ...(user.password && { old_password: encodePassword(old_password) }),
            password: encodePassword(password),
            confirm_password: encodePassword(confirm_password),
            ...confirmed,
          },
        })
        await refreshAccount()
      }}
      done={t.passwordDone}
      onClose={onClose}
    />
  )
}
