import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { parseTransactionId } from '../outgoing/find-payout.ts'
import { beginFoundPayout, recordFoundPayout } from '../outgoing/record-found-payout.ts'
import { formatWithdrawalSubject } from './decide-withdrawal.ts'
import { readAnyWithdrawal } from './list.ts'
import { agreeOnPayment, findPaymentOf, type PaidElsewhereClaim } from './paid-elsewhere.ts'
import { applyWithdrawalSteps, withdrawalStateOf } from './steps.ts'
import { lockAnyWithdrawal } from './store.ts'

/**
 * Records that a transaction which this database did not send has paid an abnormal withdrawal, or one that waits for
 * approval: it is accomplished, as if its own had. Another call that names the same changes nothing. Returns whether it
 * waits for a second operator. Throws Refusal unless the transaction has paid it, or when it was decided otherwise.
 */
export async function recordPaidWithdrawal(
  deps: Deps,
  { id, txid, by, seen }: PaidElsewhereClaim,
): Promise<{ waits: boolean }> {
  const read = await readAnyWithdrawal(deps.pool, id)
  if (!read) throw new Refusal('withdrawal_not_exist', { field: 'id' })
  if (withdrawalStateOf(read) === 'accomplished' && read.txid === parseTransactionId(txid)) return { waits: false }
  requireOpen(read, seen)
  const found = await findPaymentOf(deps, read, txid)
  return tx(deps.pool, async (c, uow) => {
    await beginFoundPayout(uow, found)
    const row = (await lockAnyWithdrawal(c, id))!
    if (withdrawalStateOf(row) === 'accomplished' && row.txid === found.receipt.txid) return { waits: false }
    requireOpen(row, seen)
    const subject = formatWithdrawalSubject(row)
    const who = await agreeOnPayment(deps, c, row, { subject, txid: found.receipt.txid, by })
    if (who === null) return { waits: true }
    const { merchant_id, receives: amount } = row
    const item = { owner: 'withdrawal', merchant_id, id, amount } as const
    await recordFoundPayout(deps, uow, found, { item, seq: row.events + 1, who })
    const { txid: paidBy } = found.receipt
    const changes = { reason: '', txid: paidBy }
    const step = { row, event: 'found_paid', to: 'accomplished', detail: paidBy, who: who.join(', '), changes } as const
    await applyWithdrawalSteps(uow, [step], deps.clock())
    return { waits: false }
  })
}

/** Refuses a withdrawal that does not wait for an operator, or has changed since it was read. */
function requireOpen(row: { status: number; updated_at: number }, seen: number | undefined): void {
  const state = withdrawalStateOf(row)
  if ((state !== 'abnormal' && state !== 'auditing') || (seen !== undefined && seen !== row.updated_at))
    throw new Refusal('withdrawal_cannot_change', { field: 'id' })
}
