import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { hints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import { queueAgain } from './store.ts'

/** By hand and by script: each is an attempt at somebody's machine, and is kept. */
const pace = { max: 600, seconds: 3_600 }

/** Sends a callback once more now, whatever became of it before. It keeps its id, so that a receiver knows it again. */
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
