import type { PaymentEventType, Status } from './payment.ts'

/**
 * Every legal transition: event, status before, statuses after. A status that is not named before an event refuses the
 * event; one that is not named after it is a fault of ours.
 *
 * 1 to be paid, 2 paid, 3 timeout, 4 closed, 5 under refund, 6 refunded, 7 error, 8 chain confirmation failure
 */
export const transitions: Record<PaymentEventType, Partial<Record<Status | 0, readonly Status[]>>> = {
  created: { 0: [1] },
  asset_chosen: { 1: [1], 8: [8] },
  // Money that is seen again after it had left the chain opens the payment again.
  deposit_seen: { 1: [1], 2: [2], 3: [3], 4: [4], 5: [5], 6: [6], 7: [7], 8: [1, 8] },
  // Money after the end stays the merchant's and does not bring the payment back.
  deposit_credited: { 1: [1, 2], 2: [2], 3: [3], 4: [4], 5: [5], 6: [6], 7: [7], 8: [8] },
  deposit_dropped: { 1: [1, 8], 2: [2], 3: [3], 4: [4], 5: [5], 6: [6], 7: [7], 8: [8] },
  deposit_doubted: { 1: [7], 2: [7], 3: [7], 4: [7], 5: [7], 6: [7], 7: [7], 8: [7] },
  deposit_undone: { 7: [7] },
  // One whose time is over is to be paid until it times out, as others are.
  deposit_restored: { 7: [1, 2, 4] },
  expired: { 1: [3], 8: [3] },
  closed: { 1: [4], 8: [4] },
  refund_started: { 2: [5], 3: [5], 4: [5] },
  // A refund of a part leaves the payment as it was.
  refund_finished: { 5: [2, 3, 4, 6] },
  refund_cancelled: { 5: [2, 3, 4] },
}

/** Whether a payment in this status can meet the event at all. `from` is 0 for a payment that does not exist yet. */
export const accepts = (event: PaymentEventType, from: Status | 0) => transitions[event][from] !== undefined

/** Whether the event may lead from one status to the other. */
export const allows = (event: PaymentEventType, from: Status | 0, to: Status) =>
  transitions[event][from]?.includes(to) ?? false
