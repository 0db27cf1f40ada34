import { type MerchantRole, merchantRoleNames, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { isEmail } from '@coffer/contract/kit/validators.ts'
import { useRef } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import type { FormFields } from '../../kit/form/Fields.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { useCell } from '../../lib/useCell.ts'
import { toRequestAmount } from '../../ui/controls/typedAmount.ts'

export type People = RouteData<'GET /api/v1/member'>
export type Member = People['list'][number]
export type OpenInvitation = People['invitations'][number]

/** What a dialog of the page is about. */
export type Task =
  | { verb: 'invite' }
  | { verb: 'role' | 'remove'; member: Member }
  | { verb: 'renew'; invitation: OpenInvitation }
  | { verb: 'rule'; required: boolean }

interface PartValues {
  role: MerchantRole
  refund_limit: string
}

const mailboxOf = (email: string) => email.trim().toLowerCase()

const refreshes = ['GET /api/v1/member'] as const

/** The fields of what somebody may do. */
function usePartFields<V extends PartValues>(): (values: V) => FormFields<V> {
  const t = useMessages('members')
  const inLanguage = useCell(language)
  const options = merchantRoleNames.map(name => {
    return { value: name, label: merchantRoleTexts[name].name[inLanguage] }
  })
  return ({ role }) => [
    { kind: 'choice', name: 'role', label: t.role, options, hint: merchantRoleTexts[role].may[inLanguage] },
    role === 'support' && { kind: 'amount', name: 'refund_limit', label: t.refundLimit, hint: t.refundLimitHint },
  ]
}

/** A part as sent. */
const partOf = ({ role, refund_limit }: PartValues) => ({
  role,
  ...(role === 'support' && refund_limit.trim() !== '' && { refund_limit: toRequestAmount(refund_limit) }),
})

/** A proof of what is typed, which a passkey signs. */
function useProofOf<V extends PartValues>(initial: V, about: (values: V) => Record<string, string>) {
  const typed = useRef(initial)
  const proof = useProof('members', {
    data: () => ({ ...about(typed.current), refund_limit: '', ...partOf(typed.current) }),
  })
  return (values: V) => {
    typed.current = values
    return proof
  }
}

export function TaskDialog({ task, onClose }: { task: Task; onClose(): void }) {
  if (task.verb === 'invite') return <Invite onClose={onClose} />
  if (task.verb === 'renew') return <Renew invitation={task.invitation} onClose={onClose} />
  if (task.verb === 'rule') return <Rule required={task.required} onClose={onClose} />
  if (task.verb === 'role') return <ChangeRole member={task.member} onClose={onClose} />
  return <Remove member={task.member} onClose={onClose} />
}

function Invite({ onClose }: { onClose(): void }) {
  const t = useMessages('members')
  const common = useMessages('common')
  const initial = { email: '', role: 'viewer' as MerchantRole, refund_limit: '' }
  const fields = usePartFields<typeof initial>()
  const proof = useProofOf(initial, ({ email }) => ({ email: mailboxOf(email) }))
  return (
    <ActionForm
      title={t.invitePerson}
      text={t.inviteText}
      verb={t.send}
      size="medium"
      initial={initial}
      fields={values => [
        {
          name: 'email',
          label: t.email,
          type: 'email',
          autoComplete: 'off',
          required: true,
          rule: text => !isEmail(text.trim()) && common.validaEmail,
        },
        ...fields(values),
      ]}
      proof={proof}
      call={({ email, ...part }, confirmed) =>
        api('POST /api/v1/member/invitation', {
          body: { email: mailboxOf(email), ...partOf(part), ...confirmed },
        })
      }
      refreshes={refreshes}
      done={({ waits }) => (waits ? t.waiting : t.sent)}
      note={<p className="text-[13px] text-ink-3">{t.ownersNote}</p>}
      onClose={onClose}
    />
  )
}

function ChangeRole({ member, onClose }: { member: Member; onClose(): void }) {
  const t = useMessages('members')
  const initial: PartValues = { role: member.role, refund_limit: member.refund_limit ?? '' }
  const proof = useProofOf(initial, () => ({ id: member.id }))
  return (
    <ActionForm
      title={t.changeRole}
      text={t.changeRoleText(member.email)}
      verb={t.changeRole}
      size="medium"
      initial={initial}
      fields={usePartFields<PartValues>()}
      proof={proof}
      call={(part, confirmed) => api('PUT /api/v1/member', { body: { id: member.id, ...partOf(part), ...confirmed } })}
      refreshes={refreshes}
      done={({ waits }) => (waits ? t.waiting : t.roleChanged)}
      note={<p className="text-[13px] text-ink-3">{t.ownersNote}</p>}
      onClose={onClose}
    />
  )
}

function Remove({ member: { id, email, role }, onClose }: { member: Member; onClose(): void }) {
  const t = useMessages('members')
  return (
    <ActionForm
      danger
      title={t.removeTitle(email)}
      text={t.removeText}
      verb={t.remove}
      proof={useProof('members', { data: () => ({ id }) })}
      call={(_values, confirmed) => api('DELETE /api/v1/member', { body: { id, ...confirmed } })}
      refreshes={refreshes}
      done={({ waits }) => (waits ? t.waiting : t.removed)}
      note={role === 'owner' && <p className="text-[13px] text-ink-3">{t.ownersNote}</p>}
      onClose={onClose}
    />
  )
}

function Renew({ invitation: { id, email }, onClose }: { invitation: OpenInvitation; onClose(): void }) {
  const t = useMessages('members')
  return (
    <ActionForm
      title={t.sendAgain}
      text={t.sendAgainText(email)}
      verb={t.sendAgain}
      proof={useProof('members', { data: () => ({ id }) })}
      call={(_values, confirmed) => api('PUT /api/v1/member/invitation', { body: { id, ...confirmed } })}
      refreshes={refreshes}
      done={t.sent}
      onClose={onClose}
    />
  )
}

function Rule({ required, onClose }: { required: boolean; onClose(): void }) {
  const t = useMessages('members')
  return (
    <ActionForm
      danger={!required}
      title={required ? t.require : t.unrequire}
      text={required ? t.requireText : t.unrequireText}
      verb={required ? t.require : t.unrequire}
      proof={useProof('members', { data: () => ({ required: String(required) }) })}
      call={(_values, confirmed) => api('PUT /api/v1/member/second-factor', { body: { required, ...confirmed } })}
      refreshes={refreshes}
      done={t.saved}
      onClose={onClose}
    />
  )
}
