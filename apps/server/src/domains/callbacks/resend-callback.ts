import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { queueAgain } from './store.ts'

/** Limits resends by hand and by script: each one calls an external server and is recorded. */
const pace = { max: 600, seconds: 3_600 }

/**
 * Queues a callback for an immediate resend, whatever its status. It keeps its id, so that receivers can deduplicate
 * it.
 */
export async function resendCallback(
  deps: Deps,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<void> {
  await throttle(deps, `resend ${merchantId}`, pace)
  await tx(deps.pool, async (c, uow) => {
    if (!(await queueAgain(c, merchantId, id, deps.clock()))) throw new Refusal('callback_not_exist')
    uow.add(hints, [{ merchant_id: merchantId, type: 'callback', id }])
  })
}
