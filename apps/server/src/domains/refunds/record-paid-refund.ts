import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { parseTransactionId } from '../outgoing/find-payout.ts'
import { beginFoundPayout, recordFoundPayout } from '../outgoing/record-found-payout.ts'
import { agreeOnPayment, findPaymentOf, type PaidElsewhereClaim } from '../withdrawals/paid-elsewhere.ts'
import { withdrawalStateOf } from '../withdrawals/steps.ts'
import { formatRefundSubject, refuseDecided } from './decide-refund.ts'
import { applyRefundSteps } from './steps.ts'
import { lockAnyRefund, readAnyRefund } from './store.ts'

/**
 * Records that a transaction which this database did not send has paid an abnormal refund, as `recordPaidWithdrawal`
 * does of a withdrawal.
 */
export async function recordPaidRefund(
  deps: Deps,
  { id, txid, by, seen }: PaidElsewhereClaim,
): Promise<{ waits: boolean }> {
  const read = await readAnyRefund(deps.pool, id)
  if (!read) throw new Refusal('withdrawal_not_exist', { field: 'id' })
  if (withdrawalStateOf(read) === 'accomplished' && read.txid === parseTransactionId(txid)) return { waits: false }
  await requireOpen(deps.pool, read, seen)
  const found = await findPaymentOf(deps, read, txid)
  return tx(deps.pool, async (c, uow) => {
    await beginFoundPayout(uow, found)
    const row = (await lockAnyRefund(c, id))!
    if (withdrawalStateOf(row) === 'accomplished' && row.txid === found.receipt.txid) return { waits: false }
    await requireOpen(c, row, seen)
    const subject = formatRefundSubject(row)
    const who = await agreeOnPayment(deps, c, row, { subject, txid: found.receipt.txid, by })
    if (who === null) return { waits: true }
    const { merchant_id, receives: amount } = row
    const item = { owner: 'refund', merchant_id, id, amount } as const
    await recordFoundPayout(deps, uow, found, { item, seq: row.events + 1, who })
    const changes = { failure: '', txid: found.receipt.txid }
    await applyRefundSteps(deps, uow, [{ row, event: 'found_paid', to: 'accomplished', changes }], deps.clock())
    return { waits: false }
  })
}

/** Refuses a refund that is not abnormal, or has changed since it was read. */
async function requireOpen(
  c: Queryable,
  row: { merchant_id: string; id: string; status: number; updated_at: number },
  seen: number | undefined,
): Promise<void> {
  if (withdrawalStateOf(row) !== 'abnormal' || (seen !== undefined && seen !== row.updated_at))
    throw await refuseDecided(c, row)
}
