import { merchantRoleNames, merchantRoleTexts } from '@coffer/contract/kit/merchant-roles.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { apiQuery } from '../../api/query.ts'
import { language } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useSubmit } from '../../kit/useSubmit.ts'
import { useCell } from '../../lib/useCell.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Card } from '../../ui/data/Card.tsx'
import { PageHeader } from '../../ui/data/PageHeader.tsx'
import { Time } from '../../ui/data/Values.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { ErrorState, Skeleton } from '../../ui/feedback/States.tsx'
import { type Member, type OpenInvitation, type People, type Task, TaskDialog } from './dialogs.tsx'

/** Who works for the shop: roles, invitations and what every member needs. For owners. */
export default function PeoplePage() {
  const t = useMessages('members')
  const people = useQuery(apiQuery('GET /api/v1/member', {}))
  const [task, setTask] = useState<Task | null>(null)
  if (people.error && !people.data) return <ErrorState error={people.error} onRetry={() => void people.refetch()} />
  const { data } = people
  const isAlone = data?.list.length === 1 && data.invitations.length === 0
  return (
    <>
      <PageHeader
        title={t.title}
        text={t.text}
        actions={
          <Button look="primary" icon="plus" onClick={() => setTask({ verb: 'invite' })}>
            {t.invite}
          </Button>
        }
      />
      {data ? (
        <div className="flex flex-col gap-4">
          {isAlone && <Alone />}
          {data.requests.length > 0 && <Requests requests={data.requests} />}
          <Members list={data.list} onTask={setTask} />
          {data.invitations.length > 0 && <Invitations list={data.invitations} onTask={setTask} />}
          <Rule required={data.second_factor_required} onTask={setTask} />
          {!isAlone && <Roles />}
        </div>
      ) : (
        <Skeleton className="h-72 w-full rounded-xl" />
      )}
      {task && <TaskDialog task={task} onClose={() => setTask(null)} />}
    </>
  )
}

/** What an owner who works alone sees first: what inviting is for. */
function Alone() {
  const t = useMessages('members')
  return (
    <Card title={t.alone}>
      <p className="max-w-2xl text-sm text-ink-2">{t.aloneText}</p>
      <RoleList />
    </Card>
  )
}

function Roles() {
  const t = useMessages('members')
  return (
    <Card title={t.roles}>
      <RoleList />
    </Card>
  )
}

function RoleList() {
  const inLanguage = useCell(language)
  return (
    <dl className="mt-3 grid gap-x-6 gap-y-1.5 text-[13px] sm:grid-cols-[max-content_1fr]">
      {merchantRoleNames.map(role => (
        <div key={role} className="contents">
          <dt className="font-medium">{merchantRoleTexts[role].name[inLanguage]}</dt>
          <dd className="mb-1.5 text-ink-2 sm:mb-0">{merchantRoleTexts[role].may[inLanguage]}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A line of the page: who, what is known, and buttons. */
const Line = ({ who, badges, facts, children }: Record<'who' | 'badges' | 'facts' | 'children', ReactNode>) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-all">{who}</span>
        {badges}
      </p>
      <p className="num mt-1 text-[13px] text-ink-3">{facts}</p>
    </div>
    <div className="flex flex-wrap gap-2">{children}</div>
  </li>
)

/** A role, and for support how much it may refund. */
function RoleBadge({ role, refund_limit }: Pick<Member, 'role' | 'refund_limit'>) {
  const t = useMessages('members')
  const inLanguage = useCell(language)
  const refunds = refund_limit === null ? t.refundsNone : t.refunds(refund_limit)
  return (
    <>
      <Badge kind={role === 'owner' ? 'processing' : 'closed'}>{merchantRoleTexts[role].name[inLanguage]}</Badge>
      {role === 'support' && <span className="text-[13px] text-ink-3">{refunds}</span>}
    </>
  )
}

function Members({ list, onTask }: { list: Member[]; onTask(task: Task): void }) {
  const t = useMessages('members')
  return (
    <Card>
      <ul className="divide-y divide-line text-sm">
        {list.map(member => (
          <Line
            key={member.id}
            who={member.email}
            badges={
              <>
                <RoleBadge {...member} />
                {member.self && <Badge kind="closed">{t.you}</Badge>}
                {member.authenticator && <Badge kind="success">{t.authenticator}</Badge>}
                {member.passkey && <Badge kind="success">{t.passkey}</Badge>}
                {!member.authenticator && !member.passkey && <Badge kind="error">{t.noFactor}</Badge>}
              </>
            }
            facts={
              <>
                {t.since} <Time seconds={member.since} /> · {t.lastSeen}{' '}
                {member.last_seen > 0 ? <Time seconds={member.last_seen} /> : t.notSignedIn}
                {member.invited_by && ` · ${t.invitedBy(member.invited_by)}`}
              </>
            }
          >
            {!member.self && (
              <>
                <Button
                  size="small"
                  aria-label={`${t.changeRole}: ${member.email}`}
                  onClick={() => onTask({ verb: 'role', member })}
                >
                  {t.changeRole}
                </Button>
                <Button
                  size="small"
                  aria-label={`${t.remove}: ${member.email}`}
                  onClick={() => onTask({ verb: 'remove', member })}
                >
                  {t.remove}
                </Button>
              </>
            )}
          </Line>
        ))}
      </ul>
    </Card>
  )
}

function Invitations({ list, onTask }: { list: OpenInvitation[]; onTask(task: Task): void }) {
  const t = useMessages('members')
  const cancel = useSubmit('DELETE /api/v1/member/invitation', {
    refreshes: ['GET /api/v1/member'],
    done: t.canceled,
  })
  return (
    <Card title={t.invitations}>
      <ul className="divide-y divide-line text-sm">
        {list.map(invitation => (
          <Line
            key={invitation.id}
            who={invitation.email}
            badges={<RoleBadge {...invitation} />}
            facts={
              <>
                {t.expires} <Time seconds={invitation.expires_time} />
                {invitation.invited_by && ` · ${t.invitedBy(invitation.invited_by)}`}
                {invitation.application && ` · ${t.invitedByKey(invitation.application)}`}
              </>
            }
          >
            <Button
              size="small"
              aria-label={`${t.sendAgain}: ${invitation.email}`}
              onClick={() => onTask({ verb: 'renew', invitation })}
            >
              {t.sendAgain}
            </Button>
            <Button
              size="small"
              busy={cancel.pending?.body?.id === invitation.id}
              aria-label={`${t.cancelInvitation}: ${invitation.email}`}
              onClick={() => cancel.mutate({ body: { id: invitation.id } })}
            >
              {t.cancelInvitation}
            </Button>
          </Line>
        ))}
      </ul>
    </Card>
  )
}

/** What one owner requested. Another one does the same by the buttons of the list. */
function Requests({ requests }: Pick<People, 'requests'>) {
  const t = useMessages('members')
  const inLanguage = useCell(language)
  return (
    <Card title={t.requests}>
      <p className="mb-3 text-[13px] text-ink-2">{t.waiting}</p>
      <ul className="flex flex-col gap-2 text-sm">
        {requests.map(({ change, email, role, by, created_time }) => (
          <li key={`${change} ${email} ${role}`}>
            <span className="font-medium break-all">
              {t.requested[change](email, role ? merchantRoleTexts[role].name[inLanguage] : '')}
            </span>{' '}
            <span className="num text-[13px] text-ink-3">
              {t.by(by.join(', '))} · <Time seconds={created_time} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Rule({ required, onTask }: { required: boolean; onTask(task: Task): void }) {
  const t = useMessages('members')
  return (
    <Card title={t.secondFactor}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl text-sm text-ink-2">{required ? t.secondFactorOn : t.secondFactorOff}</p>
        <Button onClick={() => onTask({ verb: 'rule', required: !required })}>
          {required ? t.unrequire : t.require}
        </Button>
      </div>
    </Card>
  )
}
