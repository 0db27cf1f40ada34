import { noData } from '../../http/context.ts'
import { approvalsOf } from '../../kit/second-person.ts'
import { payRefundAgain, refundSubject, releaseRefund } from '../refunds/decide-refund.ts'
import { wireRefund } from '../refunds/notify.ts'
import { abnormalRefunds, newestDecisions } from '../refunds/store.ts'
import { peopleFor } from '../withdrawals/decide-withdrawal.ts'
import { defineConsole } from './context.ts'

type Row = Awaited<ReturnType<typeof abnormalRefunds | typeof newestDecisions>>[number]

function present(row: Row) {
  const { id, trade_no, receives, token, chain, address } = wireRefund(row)
  return {
    ...{ id, trade_no, receives, token, chain, address },
    ...{ mchid: row.mchid, name: row.name, risk_level: row.risk_level },
    reason: row.failure,
  }
}

export const refundQueueHandlers = defineConsole({
  'GET /api/operator/v1/refunds': async ({ deps }) => {
    const [rows, decided] = await Promise.all([abnormalRefunds(deps.pool), newestDecisions(deps.pool)])
    const approvals = await approvalsOf(deps.pool, rows.map(refundSubject))
    const people = await Promise.all(rows.map(row => peopleFor(deps, deps.pool, row)))
    return {
      list: rows.map((row, index) => ({
        ...present(row),
        created_time: row.created_at,
        updated_time: row.updated_at,
        approvals: approvals.get(refundSubject(row)) ?? [],
        people: people[index]!,
      })),
      decided: decided.map(row => ({
        ...present(row),
        status: row.status,
        number: row.seq,
        event: row.event,
        who: row.who,
        decided_time: row.decided_at,
      })),
    }
  },

  'POST /api/operator/v1/refunds/:id/approve': ({ deps, params, operator, body }) =>
    payRefundAgain(deps, { ...params, who: operator.email, seen: body.updated_time }),

  'POST /api/operator/v1/refunds/:id/cancel': ({ deps, params, operator, body }) =>
    noData(releaseRefund(deps, { ...params, ...body, who: operator.email })),
})
