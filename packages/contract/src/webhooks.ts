import { z } from 'zod'
import { paymentEvents } from './codes.ts'
import { order } from './pay.ts'

/** The body of a payment callback. `data` is the payment right after the event. */
export const paymentWebhook = z
  .object({
    type: z.enum(paymentEvents).describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the event occurred'),
    data: order.describe('The payment right after the event'),
  })
  .meta({ id: 'PaymentEvent', description: 'A payment has changed' })

/** The body of a test callback, sent by the merchant from the back-office. */
export const testWebhook = z
  .object({
    type: z.literal('test.ping').describe('Type of the event'),
    timestamp: z.iso.datetime().describe('When the merchant sent it'),
    data: z.object({ appid: z.string().describe('ID of the application') }).describe('The application'),
  })
  .meta({ id: 'TestEvent', description: 'A test callback, sent from the back-office' })

export const webhook = z
  .discriminatedUnion('type', [paymentWebhook, testWebhook])
  .meta({ id: 'WebhookEvent', description: 'The body of a callback' })
export type PaymentWebhook = z.output<typeof paymentWebhook>
export type TestWebhook = z.output<typeof testWebhook>
export type Webhook = z.output<typeof webhook>
