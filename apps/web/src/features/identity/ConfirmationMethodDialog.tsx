import { type SecurityChoice, type SecurityGroup, securityChoices, securityGroups } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { Fields } from '../../kit/form/Fields.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { showToast } from '../../lib/toast.ts'
import { Select } from '../../ui/controls/Select.tsx'
import { type AccountDialogProps, refreshAccount } from './dialogs.ts'

type Choice = SecurityChoice | 'all'

/** Chooses what confirms a group of actions, among the methods that the merchant has. */
export function ConfirmationMethodDialog({ user, onClose }: AccountDialogProps) {
  const t = useMessages('identity')
  const common = useMessages('common')
  const now = (group: SecurityGroup): Choice => user.security_choices[group] ?? 'all'
  const form = useForm<{ group: SecurityGroup; method: Choice }>({ group: 'withdrawal', method: now('withdrawal') }, {})
  const { group, method } = form.values
  const was = now(group)
  const proof = useProof('security-switch', {
    data: () => ({ group }),
    // What is accepted now and still held must confirm that more is accepted.
    passkeyOnly: was === 'passkey' && method !== was && user.security_switch.includes(was),
  })
  // Codes by text message confirm withdrawals only.
  const held = securityChoices.filter(
    each =>
      user.security_switch.includes(each) &&
      (each !== 'phone' || group === 'withdrawal') &&
      // None that works here could confirm.
      (each !== 'passkey' || was === each || user.passkeys_host === undefined),
  )
  const title = (each: Choice) => (each === 'all' && user.bind_google_auth ? t.choices.authenticator : t.choices[each])
  const send = () =>
    proof.confirm(async confirmed => {
      const body = { group, method: method === 'all' ? null : method, ...confirmed }
      await api('PUT /api/v1/user/security-switch', { body })
      await refreshAccount()
      showToast('success', t.switchDone)
      onClose()
    })
  return (
    <FormDialog
      title={t.switchTitle}
      text={t.switchAsk}
      verb={common.save}
      form={form}
      proof={proof}
      onSend={send}
      onClose={onClose}
    >
      <Fields
        form={form}
        fields={[
          {
            name: 'group',
            label: t.switchGroup,
            control: props => (
              <Select
                {...props}
                options={(Object.keys(securityGroups) as SecurityGroup[]).map(value => ({
                  value,
                  label: t.groups[value],
                }))}
                onChange={next => form.setAll({ group: next, method: now(next) })}
              />
            ),
          },
          {
            name: 'method',
            kind: 'choice',
            label: t.switchMethod,
            hint: was !== 'all' && method !== was && t.switchStronger,
            options: (['all', ...held] as const).map(value => ({ value, label: title(value) })),
          },
        ]}
      />
    </FormDialog>
  )
}
