import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { applicationById } from '../store/applications.ts'
import { callbackBody } from '../store/callback-body.ts'
import { insertTest } from '../store/callbacks.ts'
import { tx } from '../store/db.ts'
import { sendHints } from '../store/outbox.ts'

const testsPerMinute = 10

/** Queues a test.ping to the notify URL of an application; it is tried once. Gives its id. */
export async function sendTestCallback(
  deps: Deps,
  { merchantId, appid }: { merchantId: string; appid: string },
): Promise<{ id: string }> {
  const now = deps.clock()
  const id = newId(now * 1000)
  await tx(deps.pool, async c => {
    const application = await applicationById(c, merchantId, appid)
    if (!application) throw new Refusal('application_not_exist')
    if (!application.notify_url) throw new Refusal('bad_url', { field: 'notify_url' })
    const body = callbackBody({ type: 'test.ping', data: { appid } }, now)
    const queued = await insertTest(c, testsPerMinute, {
      merchantId,
      id,
      appid,
      url: application.notify_url,
      body,
      now,
    })
    if (!queued) throw new Refusal('frequent_operation')
    await sendHints(c, [{ merchant_id: merchantId, type: 'callback', id }])
  })
  return { id }
}
