import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { PaymentChange, savePaymentChanges } from './payment-changes.ts'
import { lockExpiredPayments } from './store.ts'

/** Maximum payments timed out in one transaction. */
const batch = 200

/** Times out one batch of expired payments and returns their number. Safe to run in several processes at once. */
export async function expirePayments(deps: Deps): Promise<number> {
  return tx(deps.pool, async (c, uow) => {
    const now = deps.clock()
    const changes = (await lockExpiredPayments(c, now, batch)).map(row => new PaymentChange(row))
    for (const change of changes) change.apply({ type: 'expired' }, now)
    await savePaymentChanges(deps, uow, changes, now)
    return changes.length
  })
}
