import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { events } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { countPersons } from '../../kit/same-person.ts'
import { type ActingOperator, recordOperatorApproval } from '../../kit/second-person.ts'
import type { OperatorChange } from '../notifications/operator-mails.ts'
import { changeRole, type Report, removeOperator } from './change-operator.ts'
import { addOperator, renewOperatorInvitation } from './invitations.ts'
import { mailInvitation } from './mails.ts'
import { activeOwners, asRole, countOperatorsByEmail, operatorById } from './store.ts'

interface Sent {
  waits: boolean
  /**
   * The one-time link, only where the command line makes it before any owner can sign in; otherwise it is mailed to the
   * invited address.
   */
  link: string
  expires_time: number
}

/**
 * Does what an owner requests once another owner has requested the same, where at least two can sign in. All owners are
 * notified of both. `subject` names the change as it is requested: a later one needs another agreement. The command
 * line is not asked: it has the host.
 */
async function together<T extends object>(
  deps: Deps,
  by: ActingOperator,
  change: Omit<OperatorChange, 'waits' | 'by'>,
  { subject, act }: { subject: (c: Queryable) => Promise<string>; act: (report: Report) => Promise<T> },
): Promise<(T & { waits: false }) | { waits: true }> {
  const params = { ...change, by: by.email }
  const name = 'operators_changed'
  const agreed = await tx(deps.pool, async (c, uow) => {
    const owners = await activeOwners(c)
    if (by.operatorId === '' || countPersons(owners) < 2) return true
    const isAgreed = await recordOperatorApproval(c, { subject: await subject(c), by, people: 2, now: deps.clock() })
    if (!isAgreed) uow.add(events, [{ name, params: { ...params, waits: 'yes' }, created_at: deps.clock() }])
    return isAgreed
  })
  if (!agreed) return { waits: true }
  return { ...(await act(uow => uow.add(events, [{ name, params, created_at: deps.clock() }]))), waits: false }
}

const sent = (answer: { waits: true } | (Omit<Sent, 'waits'> & { waits: false })): Sent =>
  answer.waits ? { waits: true, link: '', expires_time: 0 } : answer

/** How a link reaches who is invited: by mail, or from the command line while no owner can sign in, on its screen. */
async function deliver(
  deps: Deps,
  by: ActingOperator,
  make: (send: (link: string) => Promise<void>) => Promise<{ link: string; expires_time: number }>,
  email: string,
) {
  const isFirst = by.operatorId === '' && (await activeOwners(deps.pool)).length === 0
  const { link, expires_time } = await make(async link => {
    if (!isFirst) await mailInvitation(deps, email, link)
  })
  return { link: isFirst ? link : '', expires_time }
}

/** Adds an operator, who gets the one-time link by mail. */
export const inviteOperator = async (
  deps: Deps,
  { email, role, by }: { email: string; role: OperatorRole; by: ActingOperator },
): Promise<Sent> =>
  sent(
    await together(
      deps,
      by,
      { change: 'added', email, role },
      {
        subject: async c => `operator add ${email} ${role} ${await countOperatorsByEmail(c, email)}`,
        act: report =>
          deliver(deps, by, send => addOperator(deps, { email, role, by: by.operatorId, report }, send), email),
      },
    ),
  )

/** Sends an operator a new one-time link, which replaces password, authenticator and passkeys. */
export async function reinviteOperator(deps: Deps, { id, by }: { id: string; by: ActingOperator }): Promise<Sent> {
  const { email, role, changes } = await known(deps, id)
  return sent(
    await together(
      deps,
      by,
      { change: 'renewed', email, role: asRole(role) },
      {
        subject: async () => `operator renew ${id} ${changes}`,
        act: report =>
          deliver(deps, by, send => renewOperatorInvitation(deps, { id, by: by.operatorId, report }, send), email),
      },
    ),
  )
}

/** Changes the role of an operator. */
export async function changeRoleByOwner(
  deps: Deps,
  { id, role, by }: { id: string; role: OperatorRole; by: ActingOperator },
): Promise<{ waits: boolean }> {
  const { email, changes } = await known(deps, id)
  return together(
    deps,
    by,
    { change: 'changed', email, role },
    {
      subject: async () => `operator role ${id} ${role} ${changes}`,
      act: report => changeRole(deps, { id, role, by: by.operatorId, report }).then(() => ({})),
    },
  )
}

/** Removes an operator. Who is no owner is removed at once: it only takes access away. */
export async function removeOperatorByOwner(
  deps: Deps,
  { id, by }: { id: string; by: ActingOperator },
): Promise<{ waits: boolean }> {
  const { email, role, changes } = await known(deps, id)
  const act = (report: Report) => removeOperator(deps, { id, by: by.operatorId, report }).then(() => ({}))
  const asking = role === 'owner' ? by : { ...by, operatorId: '' }
  return together(
    deps,
    asking,
    { change: 'removed', email, role: asRole(role) },
    {
      subject: async () => `operator remove ${id} ${changes}`,
      act,
    },
  )
}

async function known(deps: Deps, id: string) {
  const found = await operatorById(deps.pool, id)
  if (!found) throw new Refusal('operator_not_exist')
  return found
}
