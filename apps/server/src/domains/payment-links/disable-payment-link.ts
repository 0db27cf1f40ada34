import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { PaymentScope } from '../../kit/visible-to.ts'
import { setPaymentLinkDisabled } from './store.ts'

/** Ends a payment link that the caller may see, for good. One that has ended stays as it is. */
export const disablePaymentLink = (
  deps: Deps,
  { merchantId, collectedBy }: PaymentScope,
  id: string,
  recheck?: ScopeRecheck,
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const disabled = await setPaymentLinkDisabled(c, merchantId, id, deps.clock(), collectedBy)
    if (!disabled) throw new Refusal('payment_link_not_exist', { field: 'id' })
    const { created_by: person } = disabled
    uow.add(liveHints, [{ merchant_id: merchantId, type: 'link', id, ...(person && { person }) }])
  })
