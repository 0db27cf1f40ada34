import type { OperatorRole } from '@coffer/contract/operator/roles.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { deletePasskeysOf } from './passkey-store.ts'
import { endSessionsOf, lockOperators, type Operator, setRemoved, setRole } from './store.ts'

/** Changes the role of an operator, from the next call on. The last owner keeps the role. */
export const changeRole = (deps: Deps, { id, role }: { id: string; role: OperatorRole }): Promise<void> =>
  tx(deps.pool, async c => {
    await lockOther(c, id, role)
    await setRole(c, id, role)
  })

/** Removes an operator, whose sessions end at once. The last owner stays. */
export const removeOperator = (deps: Deps, { id }: { id: string }): Promise<void> =>
  tx(deps.pool, async c => {
    await lockOther(c, id, null)
    await setRemoved(c, id, deps.clock())
    await deletePasskeysOf(c, id)
    await endSessionsOf(c, id)
  })

/** Locks the operators and refuses a change that would leave no owner who can sign in. */
async function lockOther(c: Queryable, id: string, next: OperatorRole | null): Promise<void> {
  const operators = await lockOperators(c)
  if (!operators.some(each => each.id === id)) throw new Refusal('operator_not_exist')
  const isOwner = (each: Operator) => each.role === 'owner' && each.password_hash !== null
  const owners = operators.filter(isOwner)
  if (next !== 'owner' && owners.length === 1 && owners[0]!.id === id) throw new Refusal('last_owner')
}
