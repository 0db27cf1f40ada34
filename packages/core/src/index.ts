export * from './amounts.ts'
export * from './deposits/credit.ts'
export * from './deposits/match.ts'
export * from './deposits/outcome.ts'
export * from './deposits/value.ts'
export * from './destinations/look-alike.ts'
export * from './ledger/accounts.ts'
export * from './ledger/postings.ts'
export * from './merchants/terms.ts'
export {
  amountDue,
  applyPaymentEvent,
  isDepositInTimeAfterReorg,
  isDepositLate,
  minimumPaid,
  type PaymentDecision,
  type RefusedPaymentEvent,
  uncreditedAmount,
} from './payments/decide.ts'
export { type ChainReadProgress, hasTimedOut, lastFullyReadSecondOf } from './payments/expiry.ts'
export * from './payments/payment.ts'
export { acceptsPaymentEvent, allowsPaymentTransition, paymentTransitions } from './payments/transitions.ts'
export * from './policies/policy.ts'
export * from './prices/order-rate.ts'
export * from './proof/format.ts'
export * from './proof/split.ts'
export * from './proof/tree.ts'
export * from './proof/verify.ts'
export * from './refunds/terms.ts'
export * from './sweeps/split.ts'
export * from './withdrawals/terms.ts'
export * from './withdrawals/withdrawal.ts'
