import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { findWithheldCallback } from './paid-in-full.ts'
import { requeueCallback } from './store.ts'

/** Limits resends by hand and by script: each one calls an external server and is recorded. */
const pace = { max: 600, seconds: 3_600 }

const notPaid = {
  en: 'the order is not paid in full any more, and the callback says that it is',
  'zh-CN': '订单不再是全额已付，而该回调表示订单已支付',
}

/**
 * Queues a callback for an immediate resend, whatever its status. It keeps its id, so that receivers can deduplicate
 * it. One that says that its order is paid in full, as every callback of a shop's protocol does, is refused unless it
 * still is.
 */
export async function resendCallback(
  deps: Deps,
  { merchantId, id, recheck }: { merchantId: string; id: string; recheck?: ScopeRecheck },
): Promise<void> {
  await throttle(deps, `resend ${merchantId}`, pace)
  await tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    if (await findWithheldCallback(c, merchantId, id))
      throw new Refusal('operation_failed', { field: 'id', detail: notPaid })
    if (!(await requeueCallback(c, merchantId, id, deps.clock()))) throw new Refusal('callback_not_exist')
    uow.add(liveHints, [{ merchant_id: merchantId, type: 'callback', id }])
  })
}
