/**
 * Payment states. `in_doubt`: a credited deposit was removed by a reorg and awaits manual review. `dropped`: an
 * unconfirmed deposit was removed by a reorg, and the payment can still be paid.
 */
export const paymentStates = [
  'open',
  'paid',
  'timed_out',
  'closed',
  'refunding',
  'refunded',
  'in_doubt',
  'dropped',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** Deviation of the deposits from the requested amount or deadline, or the merchant's own decision. */
export type PaymentDeviation = 'none' | 'partial' | 'over' | 'late' | 'marked_paid' | 'marked_invalid'

/** Payment fields used in decisions. Amounts are in base units of the chosen asset. */
export type Payment = {
  state: PaymentState
  exception: PaymentDeviation
  /** Requested amount; 0 until an asset is chosen. */
  requested: bigint
  /** Decimal places of the chosen asset; 0 until one is chosen. */
  decimals: number
  /** Credited amount, including late deposits. */
  paid: bigint
  /** Late part of the credited amount; loaded only for decisions that need it. */
  late: bigint
  /** Unconfirmed amount, including late deposits. */
  pending: bigint
  tolerancePermille: number
  /** Unix seconds. */
  expireAt: number
  /**
   * Unix seconds; 0 until a sufficient amount has been credited in time, or the merchant marked the payment as paid.
   */
  paidAt: number
  /** Unix seconds; 0 unless the merchant closed the payment or marked it as invalid. */
  closedAt: number
}

/** Payment events. `counted` is the value of a deposit in the chosen asset. */
export type PaymentEvent =
  | { type: 'created'; tolerancePermille: number; expireAt: number }
  | { type: 'asset_chosen'; requested: bigint; decimals: number }
  | { type: 'deposit_seen'; counted: bigint; late: boolean }
  /** `aside`: what a deposit that does not count is worth in the chosen asset; null where that is unknown. */
  | { type: 'deposit_credited'; counted: bigint; late: boolean; aside?: bigint | null }
  | { type: 'deposit_dropped'; counted: bigint }
  | { type: 'deposit_returned'; counted: bigint }
  /** A reorg removed a credited deposit. The credit stands until manual review. */
  | { type: 'deposit_doubted' }
  /** Manual review found the deposit lost: the credit is reversed. */
  | { type: 'deposit_undone'; counted: bigint }
  /**
   * The deposit is on the chain again. Its credit was never reversed. `allInTime`: none of the payment's deposits is
   * late any more.
   */
  /** `refund`: one is under way, or all that was paid is refunded. */
  | { type: 'deposit_restored'; allInTime?: boolean; refund?: 'started' | 'whole' | undefined }
  | { type: 'expired' }
  | { type: 'closed' }
  /** The merchant decides, whatever was received. */
  | { type: 'marked_paid' }
  | { type: 'marked_invalid' }
  | { type: 'refund_started' }
  /** The refund was sent. `whole` if the paid amount is now fully refunded. */
  | { type: 'refund_finished'; whole: boolean }
  | { type: 'refund_cancelled' }
  /** A deep reorg took away the transaction of a refund that was finished: it is under way again. */
  | { type: 'refund_undone' }

export type PaymentEventType = PaymentEvent['type']

/** Callback events sent to the merchant's server. */
export type PaymentCallback =
  | 'payment.seen'
  | 'payment.partial'
  | 'payment.paid'
  | 'payment.over'
  | 'payment.late'
  | 'payment.timeout'
  | 'payment.closed'
  | 'payment.chain_failure'
  | 'payment.error'

/** Reasons for refusing an event. */
export type PaymentRefusal =
  | 'payment_ended'
  | 'asset_locked'
  | 'cannot_close'
  | 'cannot_refund'
  | 'cannot_mark'
  | 'illegal_transition'
