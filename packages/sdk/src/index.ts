export { type AccountKeys, AddressError, addressVerifier, type ShownAddress, verifyAddress } from './addresses.ts'
export {
  type CallOptions,
  Coffer,
  type CofferOptions,
  type OrderRef,
  type PayoutRef,
  type SubmitOptions,
} from './client.ts'
export { CofferError } from './errors.ts'
export * from './generated/types.ts'
export { verifyWebhook, WebhookError, type WebhookRequest } from './webhook.ts'
