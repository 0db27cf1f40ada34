import type { OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { operatorRoles } from '@coffer/contract/operator/calls.ts'
import type { Deps } from '../../deps.ts'
import { recordOperatorAuditEntry } from '../../kit/audit.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { UnitOfWork } from '../../kit/unit-of-work.ts'
import { cancelRemovalRequestsBy } from '../identity/factors/remove-authenticator.ts'
import { removePerson } from '../people/end-person.ts'
import { lockOperators, type Operator, setRemoved, setRole } from './store.ts'

/** Reports a change in its transaction. */
export type Report = (uow: UnitOfWork) => void

/** Changes the role of an operator, from the next call on. The last owner keeps the role. */
export async function changeRole(
  deps: Deps,
  { id, role, by = '', report }: { id: string; role: OperatorRole; by?: string; report?: Report },
): Promise<void> {
  const mayAsk = operatorRoles['POST /api/operator/v1/merchants/:id/remove-authenticator'].includes(role)
  await tx(deps.pool, async (c, uow) => {
    report?.(uow)
    const { email } = await lockOther(c, id, role)
    await setRole(c, id, role, deps.clock())
    await recordOperatorAuditEntry(c, {
      type: 'operator_changed',
      subject: `${id} ${email} ${role}`,
      now: deps.clock(),
      by,
    })
    if (!mayAsk) await cancelRemovalRequestsBy(deps, uow, id)
  })
}

/** Removes an operator, whose sessions end at once, as do the operator's unconfirmed requests. The last owner stays. */
export async function removeOperator(
  deps: Deps,
  { id, by = '', report }: { id: string; by?: string; report?: Report },
): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    report?.(uow)
    const { email } = await lockOther(c, id, null)
    await setRemoved(c, id, deps.clock())
    await recordOperatorAuditEntry(c, {
      type: 'operator_changed',
      subject: `${id} ${email} removed`,
      now: deps.clock(),
      by,
    })
    await removePerson(c, id, deps.clock())
    await cancelRemovalRequestsBy(deps, uow, id)
  })
}

/** Locks the operators, returns the one in question, and refuses a change that would leave no owner who can sign in. */
async function lockOther(c: Queryable, id: string, next: OperatorRole | null): Promise<Operator> {
  const operators = await lockOperators(c)
  const found = operators.find(each => each.id === id)
  if (!found) throw new Refusal('operator_not_exist')
  const isOwner = (each: Operator) => each.role === 'owner' && each.password_hash !== null
  const owners = operators.filter(isOwner)
  if (next !== 'owner' && owners.length === 1 && owners[0]!.id === id) throw new Refusal('last_owner')
  return found
}
