export { type CallOptions, Coffer, type CofferOptions, type OrderRef, type SubmitOptions } from './client.ts'
export { CofferError, errorCodes } from './errors.ts'
export * from './types.ts'
export { verifyWebhook, WebhookError, type WebhookRequest } from './webhook.ts'
