import { asOperatorRole, type OperatorRole } from '@coffer/contract/kit/operator-roles.ts'
import { freshCodeCalls, operatorRoles, type RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { ActingOperator } from '../../kit/second-person.ts'
import { hashSecret } from '../../kit/secrets.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { rememberDevice } from '../people/devices.ts'
import { installationId, isSessionOpen, noteSessionUse, startSession } from '../people/sessions.ts'
import { warnOperator } from './mails.ts'
import { sessionByToken } from './store.ts'

/** An operator's session. */
export interface OperatorSession {
  operatorId: string
  email: string
  role: OperatorRole
  tokenHash: Buffer
  /** Until when calls that need a fresh code are allowed. */
  freshUntil: number
}

/** Opens a session and returns its token. */
export async function openOperatorSession(
  deps: Pick<Deps, 'clock'>,
  c: Queryable,
  operatorId: string,
  from: Pick<Visitor, 'ip' | 'device'>,
  { pending = false, freshFor = 0 }: { pending?: boolean; freshFor?: number } = {},
): Promise<string> {
  const freshUntil = freshFor && deps.clock() + freshFor
  const given = { personId: operatorId, merchantId: installationId, from, pending, freshUntil }
  return (await startSession(deps, c, given)).token
}

/**
 * Signs in whom `prove` returns, in its transaction, and remembers the device. The operator is notified of one that
 * differs from all before it.
 */
export async function enterConsole(
  deps: Deps,
  from: Visitor,
  prove: (c: Queryable) => Promise<{ id: string; email: string }>,
): Promise<{ token: string; by: ActingOperator }> {
  return tx(deps.pool, async (c, uow) => {
    const { id, email } = await prove(c)
    if (await rememberDevice(c, id, from, deps.clock()))
      warnOperator(deps, uow, { id, name: 'operator_new_device', from })
    return { token: await openOperatorSession(deps, c, id, from), by: { operatorId: id, email } }
  })
}

/**
 * Returns the session of a token; throws Refusal('login_expired') unless it is live and as pending as requested. Every
 * call reads it with the operator, so that a removal and a new role take effect at once.
 */
export async function authenticateOperatorSession(
  deps: Pick<Deps, 'pool' | 'clock'>,
  { token, pending }: { token: string; pending: boolean },
): Promise<OperatorSession> {
  const now = deps.clock()
  const tokenHash = hashSecret(token)
  const found = await sessionByToken(deps.pool, tokenHash)
  const role = found && asOperatorRole(found.role)
  if (!role || found.pending !== pending || !isSessionOpen(found, 'console', now)) throw new Refusal('login_expired')
  await noteSessionUse(deps.pool, { tokenHash, last_seen: found.last_seen }, now)
  return {
    operatorId: found.operator_id,
    email: found.email,
    role,
    tokenHash,
    freshUntil: found.fresh_until,
  }
}

/**
 * Refuses a call that the operator's role may not make, or that needs a fresh code.
 * @throws Refusal('forbidden') or Refusal('operator_fresh_needed')
 */
export function assertOperatorMayCall({ role, freshUntil }: OperatorSession, key: string, now: number): void {
  if (!Object.hasOwn(operatorRoles, key)) return
  if (!operatorRoles[key as RoleRestrictedCall].includes(role)) throw new Refusal('forbidden')
  if (freshUntil <= now && freshCodeCalls.includes(key as RoleRestrictedCall))
    throw new Refusal('operator_fresh_needed')
}
