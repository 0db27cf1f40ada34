import { randomBytes } from 'node:crypto'
import { callbackStatus } from '@coffer/contract/codes.ts'
import { url as urlSchema } from '@coffer/contract/kit/schemas.ts'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { tx } from '../../../kit/db.ts'
import { createFieldRefusal, Refusal } from '../../../kit/refusal.ts'
import { throttle } from '../../../kit/throttle.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import { checkNotifyUrl } from '../../../outside/check-notify-url.ts'
import { resendCallback } from '../../callbacks/resend-callback.ts'
import { type CallbackRow, listAttempts, listCallbacks, readCallback } from '../../callbacks/store.ts'
import { recordEvent } from '../../merchants/account-events.ts'
import { filterConnectionOrders } from '../../payments/shop-order.ts'
import { type ShopConnection, setWebhook, shopWebhookSecretSealPlace } from '../store.ts'
import type { ShopCaller } from '../use-connection.ts'
import { btcpayCallbackForm } from './invoice.ts'

const event = 'InvoiceSettled'
/** The newest callbacks of the application among which deliveries are looked for, and those that are answered. */
const searched = 100
const deliveriesMost = 20

/** What is read of a webhook; clients send more. */
export const newWebhookSchema = z.object({
  url: urlSchema,
  secret: z
    .string()
    .min(16)
    .max(200)
    .regex(/^[!-~]+$/)
    .nullish(),
  enabled: z.boolean().nullish(),
  authorizedEvents: z
    .object({ everything: z.boolean().nullish(), specificEvents: z.array(z.string()).max(50).nullish() })
    .nullish(),
})

/** The only webhook that a store has: its id is that of the store. It has none while it has no URL. */
export const presentWebhook = ({ id, notify_url, webhook_everything: everything }: Webhook) => ({
  id,
  enabled: true,
  automaticRedelivery: true,
  url: notify_url,
  // Plugins that ask for everything refuse a webhook that says less.
  authorizedEvents: { everything, specificEvents: everything ? [] : [event] },
})
type Webhook = Pick<ShopConnection, 'id' | 'notify_url' | 'webhook_everything'>

/** The webhooks of a store: one or none. */
export const webhooksOf = ({ connection }: ShopCaller) => (connection.notify_url ? [presentWebhook(connection)] : [])

/**
 * Sets the webhook of a store; it replaces an existing one. Callbacks of orders that exist go where they went, signed
 * with the new secret. A shop that asks for events other than InvoiceSettled gets only that one.
 */
export async function putWebhook(
  deps: Deps,
  caller: ShopCaller & { from: Visitor },
  given: z.output<typeof newWebhookSchema>,
  { isNew }: { isNew: boolean },
) {
  const { connection } = caller
  if (given.enabled === false)
    throw createFieldRefusal('enabled', 'delete the webhook instead', '如需停用，请删除该 webhook')
  const events = given.authorizedEvents
  if (events && !events.everything && !events.specificEvents?.includes(event))
    throw createFieldRefusal('authorizedEvents', `only ${event} is sent`, `仅发送 ${event}`)
  try {
    await checkNotifyUrl(deps, given.url)
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(error.reason, { field: 'url' }) : error
  }
  const secret = given.secret ?? (isNew ? randomBytes(24).toString('base64url') : '')
  const webhook = { ...connection, notify_url: given.url, webhook_everything: events?.everything ?? !events }
  await change(deps, caller, webhook, secret && deps.seal.seal(secret, shopWebhookSecretSealPlace(connection.id)))
  return { ...presentWebhook(webhook), ...(isNew && { secret }) }
}

/** Removes the webhook: invoices are refused until there is one again. What is due is still sent, with its secret. */
export const removeWebhook = (deps: Deps, caller: ShopCaller & { from: Visitor }): Promise<void> =>
  change(deps, caller, { ...caller.connection, notify_url: '', webhook_everything: false }, '')

/** Changes that a shop may make in an hour: each is an event of the account. */
const changesMost = { max: 30, seconds: 3_600 }

async function change(
  deps: Deps,
  { connection, from }: ShopCaller & { from: Visitor },
  { notify_url: url, webhook_everything }: Webhook,
  sealed: string,
) {
  const { id, merchant_id: merchantId, appid, notify_url } = connection
  await throttle(deps, `shop webhook ${id}`, changesMost)
  await tx(deps.pool, async (c, uow) => {
    await setWebhook(c, id, url, sealed, webhook_everything)
    // A plugin that makes its first webhook is what the merchant expects.
    const isExpected = notify_url === '' || notify_url === url
    const params = { appid, shop: id }
    recordEvent(deps, uow, { merchantId, type: 'shop_webhook_changed', from, params, isExpected })
  })
}

/** The newest deliveries of a store's webhook, each with its last attempt. */
export async function listDeliveries(deps: Deps, { connection }: ShopCaller, count: number) {
  const { id, merchant_id, appid } = connection
  const filter = { appid, event: 'payment.paid' } as const
  const { rows } = await listCallbacks(deps.pool, merchant_id, filter, { offset: 0, limit: searched })
  const numbers = rows.map(row => row.trade_no)
  const own = new Set((await filterConnectionOrders(deps.pool, merchant_id, id, numbers)).map(row => row.trade_no))
  const listed = rows.filter(row => own.has(row.trade_no)).slice(0, Math.min(count, deliveriesMost))
  return Promise.all(listed.map(row => presentDelivery(deps, row)))
}

/** A delivery of the store's webhook. */
export async function readDelivery(deps: Deps, { connection }: ShopCaller, id: string) {
  const row = await readCallback(deps.pool, connection.merchant_id, id)
  const own = row && (await filterConnectionOrders(deps.pool, connection.merchant_id, connection.id, [row.trade_no]))
  if (!own?.length) throw new Refusal('callback_not_exist')
  return row!
}

/** The body that a delivery sends; none once its invoice is not paid in full any more. */
export async function deliveryBody(deps: Deps, caller: ShopCaller, id: string): Promise<string> {
  const { merchant_id, url, body } = await readDelivery(deps, caller, id)
  const request = await btcpayCallbackForm.request(deps, { merchant_id, id, url, body })
  if (!request) throw new Refusal('callback_not_exist')
  return request.body!
}

/** Sends a delivery again now. It keeps its id, so that the shop recognizes it. */
export async function redeliver(deps: Deps, caller: ShopCaller, id: string): Promise<string> {
  await readDelivery(deps, caller, id)
  await resendCallback(deps, { merchantId: caller.connection.merchant_id, id })
  return id
}

/** A delivery as the API shows it, with the HTTP status of the last attempt: 0 when there was no answer. */
export async function presentDelivery(deps: Deps, row: CallbackRow) {
  const [last] = await listAttempts(deps.pool, row.merchant_id, row.id)
  const answered = (last?.http_status ?? 0) > 0
  const status = !last
    ? 'Pending'
    : row.status === callbackStatus.delivered
      ? 'HttpSuccess'
      : answered
        ? 'HttpError'
        : 'Failed'
  return {
    id: row.id,
    timestamp: last?.created_at ?? row.created_at,
    httpCode: last?.http_status ?? 0,
    errorMessage: status === 'HttpSuccess' ? '' : (last?.result ?? ''),
    status,
  }
}
