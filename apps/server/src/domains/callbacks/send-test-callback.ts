import type { Deps } from '../../deps.ts'
import type { ScopeRecheck } from '../../http/context.ts'
import { tx } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { liveHints } from '../../kit/outbox.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readEndpoint } from '../applications/endpoint-store.ts'
import { applicationById } from '../applications/store.ts'
import { encodeCallbackBody } from './encode-callback-body.ts'
import { insertTestCallback } from './store.ts'

const testsPerMinute = 10

/**
 * Queues a test.ping to an application's notify URL or to one of its webhook endpoints, with a single attempt. Returns
 * its id.
 */
export async function sendTestCallback(
  deps: Deps,
  {
    merchantId,
    appid,
    endpoint = '',
    recheck,
  }: { merchantId: string; appid: string; endpoint?: string; recheck?: ScopeRecheck },
): Promise<{ id: string }> {
  const now = deps.clock()
  const id = newId(now * 1000)
  await tx(deps.pool, async (c, uow) => {
    await recheck?.(c)
    const application = await applicationById(c, merchantId, appid)
    if (!application) throw new Refusal('application_not_exist')
    const receiver = endpoint && (await readEndpoint(c, merchantId, appid, endpoint))
    if (endpoint && !receiver) throw new Refusal('webhook_endpoint_not_exist', { field: 'id' })
    const url = receiver ? receiver.url : application.notify_url
    if (!url) throw new Refusal('bad_url', { field: 'notify_url' })
    const body = encodeCallbackBody({ type: 'test.ping', data: { appid } }, now)
    const queued = await insertTestCallback(c, testsPerMinute, {
      merchantId,
      id,
      appid,
      url,
      endpoint,
      body,
      now,
    })
    if (!queued) throw new Refusal('frequent_operation', { retryAfter: 60 })
    uow.add(liveHints, [{ merchant_id: merchantId, type: 'callback', id }])
  })
  return { id }
}
