import { z } from 'zod'
import { callbackEvents } from './codes.ts'
import { order } from './pay.ts'

/** The body of a callback about a payment: what happened, when, and the payment as it was right after. */
export const paymentWebhook = z.object({
  type: z.enum(callbackEvents).exclude(['test.ping']).describe('What happened to a payment'),
  timestamp: z.iso.datetime().describe('When it happened'),
  data: order,
})

/** The body of the callback that a merchant sends themselves from the back-office. */
export const testWebhook = z.object({
  type: z.literal('test.ping'),
  timestamp: z.iso.datetime(),
  data: z.object({ appid: z.string() }),
})

export const webhook = z.discriminatedUnion('type', [paymentWebhook, testWebhook])
export type PaymentWebhook = z.output<typeof paymentWebhook>
export type TestWebhook = z.output<typeof testWebhook>
export type Webhook = z.output<typeof webhook>
