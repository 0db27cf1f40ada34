/**
 * Where a payment stands. `in_doubt`: a credited deposit left its chain and a person decides; `dropped`: the deposit left
 * its chain before it was final, and the payment can still be paid.
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

/** What is unusual about the money that came. */
export type Exception = 'none' | 'partial' | 'over' | 'late'

/** What decisions about a payment depend on. Amounts are base units of the asset that is asked for. */
export type Payment = {
  state: PaymentState
  exception: Exception
  /** Asked in all; 0 until an asset is chosen. */
  asked: bigint
  /** Credited so far, late money included. */
  paid: bigint
  /** Of that, what came late; asked for where it decides. */
  late: bigint
  /** Seen and not final yet, late money included. */
  pending: bigint
  tolerancePermille: number
  /** Unix seconds. */
  expireAt: number
  /** Unix seconds; 0 until enough had come in time. */
  paidAt: number
  /** Unix seconds; 0 unless the merchant closed it. */
  closedAt: number
}

/** What happens to payments. `counted` is what a deposit counts for in the asset that is asked for. */
export type PaymentEvent =
  | { type: 'created'; tolerancePermille: number; expireAt: number }
  | { type: 'asset_chosen'; asked: bigint }
  | { type: 'deposit_seen'; counted: bigint; late: boolean }
  | { type: 'deposit_credited'; counted: bigint; late: boolean }
  | { type: 'deposit_dropped'; counted: bigint }
  /** A credited deposit left the chain; nothing is taken back before a person decides. */
  | { type: 'deposit_doubted' }
  /** A person decided that it is gone: the credit is reversed. */
  | { type: 'deposit_undone'; counted: bigint }
  /** It is on the chain again, and was credited all along. */
  | { type: 'deposit_restored' }
  | { type: 'expired' }
  | { type: 'closed' }
  | { type: 'refund_started' }
  /** The refund left; `whole` when nothing of what was paid is left to refund. */
  | { type: 'refund_finished'; whole: boolean }
  | { type: 'refund_cancelled' }

export type PaymentEventType = PaymentEvent['type']

/** Events the merchant's server is told of. */
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

/** Why a payment does not do what was asked of it. */
export type PaymentRefusal = 'payment_ended' | 'asset_locked' | 'cannot_close' | 'cannot_refund' | 'illegal_transition'
