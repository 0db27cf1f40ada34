export * from './amounts.ts'
export * from './deposits/credit.ts'
export * from './deposits/match.ts'
export * from './deposits/outcome.ts'
export * from './deposits/value.ts'
export * from './destinations/look-alike.ts'
export * from './ledger/accounts.ts'
export * from './ledger/postings.ts'
export {
  amountDue,
  decide,
  isInTimeAfterAll,
  isLate,
  minimumPaid,
  type PaymentDecision,
  type Refused,
  uncreditedAmount,
} from './payments/decide.ts'
export { type ChainReading, hasTimedOut, readThrough } from './payments/expiry.ts'
export * from './payments/payment.ts'
export { acceptsEvent, allowsTransition, transitions } from './payments/transitions.ts'
export * from './policies/policy.ts'
export * from './prices/order-rate.ts'
export * from './refunds/terms.ts'
export * from './sweeps/split.ts'
export * from './withdrawals/terms.ts'
export * from './withdrawals/withdrawal.ts'
