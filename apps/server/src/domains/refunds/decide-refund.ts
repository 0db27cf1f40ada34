import type { RefundDecision } from '@coffer/contract/refunds/operator.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import {
  type ActingOperator,
  readApproversBySubject,
  recordOperatorApproval,
  requireSecondPerson,
} from '../../kit/second-person.ts'
import { recordEvent } from '../merchants/account-events.ts'
import { countRequiredApprovers, lockOperatorApprovals } from '../withdrawals/decide-withdrawal.ts'
import { withdrawalStateOf } from '../withdrawals/steps.ts'
import { applyRefundSteps } from './steps.ts'
import { insertDecision, lockAnyRefund, readLastRefundDecision } from './store.ts'

/**
 * `seen`: when the refund had last changed (Unix seconds) as the operator read it. One that has failed again since is
 * not paid.
 */
type Again = { id: string; by: ActingOperator; seen?: number }

/** What an approval is for: a refund that fails once more needs another one. */
export const formatRefundSubject = ({ id, events }: { id: string; events: number }): string => `refund ${id} ${events}`

const decidedBy: Record<RefundDecision, { en: (who: string[]) => string; 'zh-CN': (who: string[]) => string }> = {
  paid_again: {
    en: who => `paid again by ${who.join(', ')}`,
    'zh-CN': who => `已由 ${who.join('、')} 重新付款`,
  },
  found_paid: {
    en: who => `recorded as paid by ${who.join(', ')}`,
    'zh-CN': who => `已由 ${who.join('、')} 确认付款`,
  },
  released: {
    en: who => `canceled by ${who.join(', ')}`,
    'zh-CN': who => `已由 ${who.join('、')} 取消`,
  },
}

/** Whoever comes second reads who decided what. */
export async function refuseDecided(c: Queryable, of: { merchant_id: string; id: string }): Promise<Refusal> {
  const last = await readLastRefundDecision(c, of.merchant_id, of.id)
  const detail = last && { en: decidedBy[last.event].en(last.who), 'zh-CN': decidedBy[last.event]['zh-CN'](last.who) }
  return new Refusal('withdrawal_cannot_change', { field: 'id', ...(detail && { detail }) })
}

/**
 * Sends an abnormal refund again, which the chain refused, or whose transaction is final without having paid. Another
 * call changes nothing. Returns whether it waits for a second operator, who must be another
 * person.
 */
export const resendRefund = (deps: Deps, { id, by, seen }: Again): Promise<{ waits: boolean }> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyRefund(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (withdrawalStateOf(row) === 'transferring') return { waits: false }
    if (withdrawalStateOf(row) !== 'abnormal' || (seen !== undefined && seen !== row.updated_at))
      throw await refuseDecided(c, row)
    const now = deps.clock()
    await requireSecondPerson(c, { merchantId: row.merchant_id, step: 'approval', by, now })
    await lockOperatorApprovals(c)
    const subject = formatRefundSubject(row)
    if (!(await recordOperatorApproval(c, { subject, by, people: await countRequiredApprovers(deps, c, row), now })))
      return { waits: true }
    const changes = { failure: '', txid: '', out_chain: null, out_from: null, out_nonce: null }
    await applyRefundSteps(deps, uow, [{ row, event: 'paid_again', to: 'transferring', changes }], now)
    const given = (await readApproversBySubject(c, [subject])).get(subject)!
    const names = given.map(each => each.email)
    await insertDecision(c, row.merchant_id, id, row.events + 1, 'paid_again', names, now)
    recordEvent(deps, uow, { merchantId: row.merchant_id, type: 'refund_approved', from: null, params: { id } })
    return { waits: false }
  })

/**
 * Cancels an abnormal refund: its amount returns to the merchant, and the payment leaves "under refund". `who` is the
 * operator.
 */
export const cancelAbnormalRefund = (
  deps: Deps,
  { id, who, reason }: { id: string; who: string; reason: string },
): Promise<void> =>
  tx(deps.pool, async (c, uow) => {
    const row = await lockAnyRefund(c, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    if (withdrawalStateOf(row) === 'canceled') return
    if (withdrawalStateOf(row) !== 'abnormal') throw await refuseDecided(c, row)
    const now = deps.clock()
    const step = { row, event: 'released', to: 'canceled', changes: { failure: reason } } as const
    await applyRefundSteps(deps, uow, [step], now)
    await insertDecision(c, row.merchant_id, id, row.events + 1, 'released', [who], now)
    recordEvent(deps, uow, { merchantId: row.merchant_id, type: 'refund_canceled', from: null, params: { id } })
  })
