import type { Deps } from '../../deps.ts'
import type { OutgoingOwner } from '../../owner.ts'
import { payoutOwner } from '../withdrawals/payout-owner.ts'
import { applyRefundSteps } from './steps.ts'
import { lockRefunds, readDueRefunds, readUnassignedRefunds, setTxid } from './store.ts'

/** Moves refunds together with the transactions that carry them. */
export const refundOwner = (deps: Deps): OutgoingOwner =>
  payoutOwner({
    kind: 'refund',
    readDue: (c, chainId, limit) => readDueRefunds(c, chainId, limit, deps.clock()),
    readUnassigned: readUnassignedRefunds,
    lock: lockRefunds,
    apply: (uow, steps) => applyRefundSteps(deps, uow, steps, deps.clock()),
    setTxid,
    withReason: failure => ({ failure }),
  })
