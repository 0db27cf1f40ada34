import type { Deps } from '../../../deps.ts'
import { all, first, type Queryable, run, tx } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { type ActingOperator, filterOtherPersons, refuseNewOperator } from '../../../kit/second-person.ts'
import type { UnitOfWork } from '../../../kit/unit-of-work.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { changePerson, holdAfterFactorChange, lockMerchant } from '../../merchants/store.ts'
import { endSessionsOfPerson } from '../../people/sessions.ts'
import { deleteRecoveryCodes } from '../proofs/recovery-code-check.ts'
import { revokeTickets } from '../store.ts'

/** Seconds between the second person's agreement and the removal, in which the owner can object. */
const waitSeconds = 86_400

const insert = run(
  'authenticator-removal-insert',
  `insert into authenticator_removals (person_id, requested_person, requested_by, requested_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
)
const confirm = run(
  'authenticator-removal-confirm',
  `update authenticator_removals set confirmed_person = $2, confirmed_by = $3, due_at = $4
   where person_id = $1 and confirmed_by is null`,
)
const remove = run('authenticator-removal-delete', 'delete from authenticator_removals where person_id = $1')
const removeRequests = all(
  'authenticator-removal-requests-delete',
  'delete from authenticator_removals where requested_person = $1 and confirmed_by is null returning person_id',
)
const due = all(
  'authenticator-removals-due',
  'select person_id from authenticator_removals where due_at <= $1 order by due_at limit 100',
)
/** The removal of an authenticator that is under way; undefined if there is none. */
export const readAuthenticatorRemoval = first(
  'authenticator-removal-pending',
  'select requested_person, requested_by, requested_at, confirmed_by, due_at from authenticator_removals where person_id = $1',
)

interface RemovalRequest {
  merchantId: string
  by: ActingOperator
}

/** Requests the removal of a lost authenticator. Another person must agree. Throws Refusal('not_bound') without one. */
export async function requestAuthenticatorRemoval(deps: Deps, { merchantId, by }: RemovalRequest): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    await requireBound(c, merchantId)
    await refuseNewOperator(c, by, deps.clock())
    if (!(await insert(c, merchantId, by.operatorId, by.email, deps.clock()))) throw new Refusal('removal_under_way')
    recordEvent(deps, uow, { merchantId, type: 'removal_requested', from: null })
  })
}

/**
 * Confirms a removal, by another person than the requester; it happens a day later. Throws
 * Refusal('second_person_needed') for the same person, Refusal('removal_not_exist') when none was requested or it is
 * confirmed already.
 */
export async function confirmAuthenticatorRemoval(deps: Deps, { merchantId, by }: RemovalRequest): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    await requireBound(c, merchantId)
    await refuseNewOperator(c, by, deps.clock())
    const pending = await readAuthenticatorRemoval(c, merchantId)
    if (!pending || pending.confirmed_by !== null) throw new Refusal('removal_not_exist')
    const asker = { id: pending.requested_person, email: pending.requested_by }
    if (filterOtherPersons([asker], by).length === 0) throw new Refusal('second_person_needed')
    await confirm(c, merchantId, by.operatorId, by.email, deps.clock() + waitSeconds)
    recordEvent(deps, uow, { merchantId, type: 'removal_confirmed', from: null })
  })
}

/**
 * Cancels a removal, in the transaction of a sign-in with the authenticator or of a new one. Returns 0 when there is
 * none.
 */
export const dropAuthenticatorRemoval = (c: Queryable, merchantId: string): Promise<number> => remove(c, merchantId)

/** Cancels a removal for the operator. */
export async function cancelAuthenticatorRemoval(deps: Deps, { merchantId }: RemovalRequest): Promise<void> {
  await tx(deps.pool, async (c, uow) => {
    const locked = await lockMerchant(c, merchantId)
    if (!locked || !(await remove(c, merchantId))) throw new Refusal('removal_not_exist')
    recordEvent(deps, uow, { merchantId, type: 'removal_canceled', from: null })
  })
}

/** Cancels an operator's unconfirmed removal requests, in the transaction that ends the right to request them. */
export async function cancelRemovalRequestsBy(deps: Deps, uow: UnitOfWork, operatorId: string): Promise<void> {
  const rows = await removeRequests(uow.c, operatorId)
  for (const { person_id: merchantId } of rows)
    recordEvent(deps, uow, { merchantId, type: 'removal_canceled', from: null })
}

/** Carries out the removals that have waited. Returns their number. */
export async function removeDueAuthenticators(deps: Deps): Promise<number> {
  const rows = await due(deps.pool, deps.clock())
  for (const { person_id: merchantId } of rows) {
    await tx(deps.pool, async (c, uow) => {
      const locked = await lockMerchant(c, merchantId)
      const pending = await readAuthenticatorRemoval(c, merchantId)
      await remove(c, merchantId)
      // It was canceled meanwhile, or the account was closed.
      if (!locked || pending?.due_at == null || pending.due_at > deps.clock()) return
      await changePerson(c, merchantId, { authenticator_secret: null, authenticator_step: 0 })
      await holdAfterFactorChange(c, merchantId, deps.clock())
      await deleteRecoveryCodes(c, merchantId)
      await revokeTickets(c, merchantId)
      await endSessionsOfPerson(c, merchantId, null)
      recordEvent(deps, uow, { merchantId, type: 'authenticator_removed', from: null })
    })
  }
  return rows.length
}

async function requireBound(c: Queryable, merchantId: string): Promise<void> {
  const locked = await lockMerchant(c, merchantId)
  if (!locked) throw new Refusal('merchant_not_exist')
  if (locked.authenticator_secret === null) throw new Refusal('not_bound')
}
