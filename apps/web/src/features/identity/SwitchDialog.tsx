import { type SecurityChoice, type SecurityGroup, securityChoices, securityGroups } from '@coffer/contract/codes.ts'
import { api } from '../../api/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ProofFields } from '../../kit/proof/ProofFields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useForm } from '../../kit/useForm.ts'
import { Field } from '../../ui/controls/Field.tsx'
import { Select } from '../../ui/controls/Select.tsx'
import type { DialogProps } from './dialogs.ts'
import { done } from './done.ts'
import { FormModal } from './FormModal.tsx'

type Choice = SecurityChoice | 'all'

/** Chooses what confirms a group of actions, among the methods that the merchant has. */
export function SwitchDialog({ user, onClose }: DialogProps) {
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
    each => user.security_switch.includes(each) && (each !== 'phone' || group === 'withdrawal'),
  )
  const send = () =>
    proof.confirm(async confirmed => {
      const body = { group, method: method === 'all' ? null : method, ...confirmed }
      await api('PUT /api/v1/user/security-switch', { body })
      await done(t.switchDone, onClose)
    })
  return (
    <FormModal title={t.switchTitle} text={t.switchAsk} verb={common.save} form={form} onSend={send} onClose={onClose}>
      <Field label={t.switchGroup}>
        {control => (
          <Select
            {...control}
            value={group}
            options={(Object.keys(securityGroups) as SecurityGroup[]).map(value => ({ value, label: t.groups[value] }))}
            onChange={next => {
              form.set('group')(next as SecurityGroup)
              form.set('method')(now(next as SecurityGroup))
            }}
          />
        )}
      </Field>
      <Field label={t.switchMethod} {...(was !== 'all' && method !== was && { hint: t.switchStronger })}>
        {control => (
          <Select
            {...control}
            value={method}
            options={(['all', ...held] as const).map(value => ({ value, label: t.choices[value] }))}
            onChange={next => form.set('method')(next as Choice)}
          />
        )}
      </Field>
      <ProofFields proof={proof} />
    </FormModal>
  )
}
