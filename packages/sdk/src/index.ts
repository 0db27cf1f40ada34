export { type AccountKeys, AddressError, addressVerifier, type ShownAddress, verifyAddress } from './addresses.ts'
export { Coffer, type OrderRef, type PayoutRef } from './client.ts'
export { CofferError } from './errors.ts'
export * from './generated/types.ts'
export type { CallOptions, CofferOptions, SubmitOptions } from './options.ts'
export {
  type MerchantProof,
  ProofError,
  type ProofFault,
  type ProofStatement,
  type ProofToVerify,
  type PublishedProof,
  type VerifiedProof,
  verifyProof,
  verifyPublished,
} from './proof.ts'
export { verifyWebhook, WebhookError, type WebhookRequest } from './webhook.ts'
