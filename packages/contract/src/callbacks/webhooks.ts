import { z } from 'zod'
import { addressDeposit } from '../addresses/routes.ts'
import { depositEvents, paymentEvents, refundEvents, withdrawalEvents } from '../codes.ts'
import { order } from '../payments/key-routes.ts'
import { refund, withdrawal } from '../withdrawals/key-routes.ts'

/** The body of a payment callback. `data` is the payment right after the event. */
export const paymentWebhook = z
  .object({
    type: z.enum(paymentEvents).describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the event occurred'),
    data: order.describe('The payment right after the event'),
  })
  .meta({ id: 'PaymentEvent', description: 'A payment has changed' })

/** The body of a withdrawal callback. */
export const withdrawalWebhook = z
  .object({
    type: z.enum(withdrawalEvents).describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the event occurred'),
    data: withdrawal.describe('The withdrawal right after the event'),
  })
  .meta({ id: 'WithdrawalEvent', description: 'A withdrawal has changed' })

/** The body of a refund callback. */
export const refundWebhook = z
  .object({
    type: z.enum(refundEvents).describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the event occurred'),
    data: refund.describe('The refund right after the event'),
  })
  .meta({ id: 'RefundEvent', description: 'A refund has changed' })

/** The body of a callback about a deposit without a payment. `data` is the deposit right after the event. */
export const depositWebhook = z
  .object({
    type: z.enum(depositEvents).describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the event occurred'),
    data: addressDeposit.describe('The deposit right after the event'),
  })
  .meta({ id: 'DepositEvent', description: 'A deposit arrived at an address of a customer, or was reversed' })

/** The body of a test callback, sent by the merchant from the back-office. */
export const testWebhook = z
  .object({
    type: z.literal('test.ping').describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the merchant sent it'),
    data: z.object({ appid: z.string().describe('ID of the application') }).describe('The application'),
  })
  .meta({ id: 'TestEvent', description: 'A test callback, sent from the back-office' })

export const webhook = z
  .discriminatedUnion('type', [paymentWebhook, withdrawalWebhook, refundWebhook, depositWebhook, testWebhook])
  .meta({ id: 'WebhookEvent', description: 'The body of a callback' })
export type PaymentWebhook = z.output<typeof paymentWebhook>
export type DepositWebhook = z.output<typeof depositWebhook>
export type WithdrawalWebhook = z.output<typeof withdrawalWebhook>
export type RefundWebhook = z.output<typeof refundWebhook>
export type TestWebhook = z.output<typeof testWebhook>
export type Webhook = z.output<typeof webhook>
