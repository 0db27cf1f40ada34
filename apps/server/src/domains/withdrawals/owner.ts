import type { Deps } from '../../deps.ts'
import type { OutgoingOwner } from '../../owner.ts'
import { payoutOwner } from './payout-owner.ts'
import { applyWithdrawalSteps } from './steps.ts'
import { lockWithdrawals, readDueWithdrawals, readUnassignedWithdrawals, setTxid } from './store.ts'

/** Moves withdrawals together with the transactions that carry them. */
export const withdrawalOwner = ({ clock }: Pick<Deps, 'clock'>): OutgoingOwner =>
  payoutOwner({
    kind: 'withdrawal',
    readDue: readDueWithdrawals,
    readUnassigned: readUnassignedWithdrawals,
    lock: lockWithdrawals,
    apply: (uow, steps) => applyWithdrawalSteps(uow, steps, clock()),
    setTxid,
    withReason: reason => ({ reason }),
  })
