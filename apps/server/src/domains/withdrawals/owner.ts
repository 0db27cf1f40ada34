import type { Deps } from '../../deps.ts'
import type { Owner } from '../../owner.ts'
import { payoutOwner } from './payout-owner.ts'
import { applySteps } from './steps.ts'
import { lockWithdrawals, readDue, setTxid } from './store.ts'

/** Moves withdrawals together with the transactions that carry them. */
export const withdrawalOwner = ({ clock }: Pick<Deps, 'clock'>): Owner =>
  payoutOwner({
    kind: 'withdrawal',
    readDue,
    lock: lockWithdrawals,
    apply: (uow, steps) => applySteps(uow, steps, clock()),
    setTxid,
    withReason: reason => ({ reason }),
  })
