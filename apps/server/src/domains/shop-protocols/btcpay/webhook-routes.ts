import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { parseJsonBody } from '../json-fields.ts'
import type { CreateBtcpayHandler } from './handle.ts'
import {
  deliveryBody,
  listDeliveries,
  newWebhookSchema,
  presentDelivery,
  putWebhook,
  readDelivery,
  redeliver,
  removeWebhook,
  webhooksOf,
} from './webhook.ts'

const modifies = 'webhooks.canmodifywebhooks'
const page = z.object({ count: z.coerce.number().int().min(1).default(20) })

/** Mounts the calls of the Greenfield API about webhooks and their deliveries. */
export function mountWebhooks(scope: FastifyInstance, deps: Deps, handle: CreateBtcpayHandler): void {
  const webhooks = '/api/v1/stores/:store/webhooks'
  const webhook = `${webhooks}/:webhook`
  const delivery = `${webhook}/deliveries/:delivery`
  /** For calls about a webhook: there is at most one, and its id is that of the store. */
  const existing: CreateBtcpayHandler = (needed, work) =>
    handle(needed, (caller, params, ...rest) => {
      if (params.webhook !== caller.connection.id || caller.connection.notify_url === '')
        throw new Refusal('webhook_endpoint_not_exist')
      return work(caller, params, ...rest)
    })
  scope.get(
    webhooks,
    handle(modifies, async caller => webhooksOf(caller)),
  )
  scope.post(
    webhooks,
    handle(modifies, (caller, _params, request) =>
      putWebhook(deps, caller, newWebhookSchema.parse(parseJsonBody(request)), { isNew: true }),
    ),
  )
  scope.get(
    webhook,
    existing(modifies, async caller => webhooksOf(caller)[0]),
  )
  scope.put(
    webhook,
    existing(modifies, (caller, _params, request) =>
      putWebhook(deps, caller, newWebhookSchema.parse(parseJsonBody(request)), { isNew: false }),
    ),
  )
  scope.delete(
    webhook,
    existing(modifies, async caller => {
      await removeWebhook(deps, caller)
      return {}
    }),
  )
  scope.get(
    `${webhook}/deliveries`,
    existing(modifies, (caller, _params, request) => listDeliveries(deps, caller, page.parse(request.query).count)),
  )
  scope.get(
    delivery,
    existing(modifies, async (caller, params) =>
      presentDelivery(deps, await readDelivery(deps, caller, params.delivery!)),
    ),
  )
  scope.get(
    `${delivery}/request`,
    existing(modifies, async (caller, params, _request, reply) => {
      const body = await deliveryBody(deps, caller, params.delivery!)
      return reply.type('application/json').send(body)
    }),
  )
  scope.post(
    `${delivery}/redeliver`,
    existing(modifies, async (caller, params, _request, reply) => {
      const id = await redeliver(deps, caller, params.delivery!)
      return reply.type('application/json').send(JSON.stringify(id))
    }),
  )
}
