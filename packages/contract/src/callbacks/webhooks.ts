import { z } from 'zod'
import { addressDeposit } from '../addresses/routes.ts'
import { depositEvents, paymentEvents, refundEvents, withdrawalEvents } from '../codes.ts'
import { describeField } from '../kit/describe.ts'
import { order } from '../payments/payment.ts'
import { refund, withdrawal } from '../withdrawals/key-routes.ts'

/** The body of a payment callback. `data` is the payment right after the event. */
export const paymentWebhook = z
  .object({
    type: z.enum(paymentEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    timestamp: z.iso.datetime().meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
    data: order.meta(describeField({ en: 'The payment right after the event', 'zh-CN': '事件发生后的订单' })),
  })
  .meta({ id: 'PaymentEvent', description: 'A payment has changed' })

/** The body of a withdrawal callback. */
export const withdrawalWebhook = z
  .object({
    type: z.enum(withdrawalEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    timestamp: z.iso.datetime().meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
    data: withdrawal.meta(describeField({ en: 'The withdrawal right after the event', 'zh-CN': '事件发生后的提现' })),
  })
  .meta({ id: 'WithdrawalEvent', description: 'A withdrawal has changed' })

/** The body of a refund callback. */
export const refundWebhook = z
  .object({
    type: z.enum(refundEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    timestamp: z.iso.datetime().meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
    data: refund.meta(describeField({ en: 'The refund right after the event', 'zh-CN': '事件发生后的退款' })),
  })
  .meta({ id: 'RefundEvent', description: 'A refund has changed' })

/** The body of a callback about a deposit without a payment. `data` is the deposit right after the event. */
export const depositWebhook = z
  .object({
    type: z.enum(depositEvents).meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    timestamp: z.iso.datetime().meta(describeField({ en: 'When the event occurred', 'zh-CN': '事件发生的时间' })),
    data: addressDeposit.meta(describeField({ en: 'The deposit right after the event', 'zh-CN': '事件发生后的款项' })),
  })
  .meta({ id: 'DepositEvent', description: 'A deposit arrived at an address of a customer, or was reversed' })

/** The body of a test callback, sent by the merchant from the back-office. */
export const testWebhook = z
  .object({
    type: z.literal('test.ping').meta(describeField({ en: 'Type of the event', 'zh-CN': '事件类型' })),
    timestamp: z.iso.datetime().meta(describeField({ en: 'When the merchant sent it', 'zh-CN': '商户发送的时间' })),
    data: z
      .object({ appid: z.string().meta(describeField({ en: 'ID of the application', 'zh-CN': '应用的 ID' })) })
      .meta(describeField({ en: 'The application', 'zh-CN': '应用' })),
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
