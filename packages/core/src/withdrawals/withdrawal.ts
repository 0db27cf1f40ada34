/** States of a withdrawal. Their codes are in the contract. */
export const withdrawalStates = [
  'auditing',
  'audit_rejected',
  'transferring',
  'confirming',
  'accomplished',
  'canceled',
  'abnormal',
] as const
export type WithdrawalState = (typeof withdrawalStates)[number]

/**
 * Events of a withdrawal. `waits`, `sent`, `in_block`, `out_of_block`, `taken_back`, `final`, `failed` and `voided`
 * report its chain transaction; `undone` and `made` that it ended anew after a deep reorg. The others are decisions of
 * a person or of the policy; `paid_again` and `released` settle an abnormal withdrawal, and `found_paid` one that a
 * transaction has paid which was sent elsewhere.
 */
export const withdrawalEvents = [
  'requested',
  'approved',
  'rejected',
  'canceled',
  'waits',
  'sent',
  'in_block',
  'out_of_block',
  'taken_back',
  'final',
  'failed',
  'voided',
  'undone',
  'made',
  'paid_again',
  'released',
  'found_paid',
] as const
export type WithdrawalEvent = (typeof withdrawalEvents)[number]

type Transitions = Partial<Record<WithdrawalState | 'new', readonly WithdrawalState[]>>

/**
 * Legal transitions: event, state before (`new` for none), states after. An event is refused in a state without an
 * entry.
 */
export const withdrawalTransitions: Record<WithdrawalEvent, Transitions> = {
  requested: { new: ['auditing', 'transferring'] },
  approved: { auditing: ['transferring'] },
  rejected: { auditing: ['audit_rejected'] },
  // A withdrawal in transfer can be cancelled only while no nonce is assigned to it; the caller checks that.
  canceled: { auditing: ['canceled'], transferring: ['canceled'] },
  // A limit of the signer does not allow it yet.
  waits: { transferring: ['transferring'] },
  sent: { transferring: ['transferring'] },
  in_block: { transferring: ['confirming'] },
  out_of_block: { confirming: ['transferring'] },
  // The batch that carried it ended without paying, and it is due again.
  taken_back: { transferring: ['transferring'], confirming: ['transferring'] },
  final: { transferring: ['accomplished'], confirming: ['accomplished'] },
  // A restored database does not know what became of one that waited for an approval.
  failed: { auditing: ['abnormal'], transferring: ['abnormal'], confirming: ['abnormal'] },
  voided: { transferring: ['canceled'], confirming: ['canceled'] },
  // A deep reorg took away the block of its transaction, which then did not pay it.
  undone: { accomplished: ['abnormal'] },
  // A transaction that had not paid it did so after a deep reorg.
  made: { abnormal: ['accomplished'], transferring: ['accomplished'] },
  paid_again: { abnormal: ['transferring'] },
  released: { abnormal: ['canceled'] },
  // Before a backup it may have waited for an approval that it got after.
  found_paid: { auditing: ['accomplished'], abnormal: ['accomplished'] },
}

/** Reports whether the event may move a withdrawal from one state to the other. */
export const allowsWithdrawalTransition = (
  event: WithdrawalEvent,
  from: WithdrawalState | 'new',
  to: WithdrawalState,
) => withdrawalTransitions[event][from]?.includes(to) ?? false

/** Final states of a withdrawal, which only a deep reorg can undo. The reserved amount is then settled or released. */
export const finalWithdrawalStates: readonly WithdrawalState[] = withdrawalStates.filter(state =>
  Object.entries(withdrawalTransitions).every(([event, from]) => event === 'undone' || from[state] === undefined),
)
