import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { setPaymentLinkDisabled } from './store.ts'

/** Ends a payment link for good. One that has ended stays as it is. */
export const disablePaymentLink = (deps: Deps, merchantId: string, id: string, recheck?: ScopeRecheck): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const changed = await setPaymentLinkDisabled(c, merchantId, id, deps.clock())
    if (changed === 0) throw new Refusal('payment_link_not_exist', { field: 'id' })
    uow.add(liveHints, [{ merchant_id: merchantId, type: 'link', id }])
  })
