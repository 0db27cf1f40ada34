import { noData } from '../../http/context.ts'
import { approvalsOf } from '../../kit/second-person.ts'
import { payRefundAgain, refundSubject, releaseRefund } from '../refunds/decide-refund.ts'
import { wireRefund } from '../refunds/notify.ts'
import { abnormalRefunds } from '../refunds/store.ts'
import { peopleFor } from '../withdrawals/decide-withdrawal.ts'
import { defineConsole } from './context.ts'

export const refundQueueHandlers = defineConsole({
  'GET /api/operator/v1/refunds': async ({ deps }) => {
    const rows = await abnormalRefunds(deps.pool)
    const approvals = await approvalsOf(deps.pool, rows.map(refundSubject))
    const people = await Promise.all(rows.map(row => peopleFor(deps, deps.pool, row)))
    return {
      list: rows.map((row, index) => {
        const { id, trade_no, receives, token, chain, address, failure, created_time, updated_time } = wireRefund(row)
        return {
          ...{ id, trade_no, receives, token, chain, address, created_time, updated_time },
          ...{ mchid: row.mchid, name: row.name, risk_level: row.risk_level },
          reason: failure,
          approvals: approvals.get(refundSubject(row)) ?? [],
          people: people[index]!,
        }
      }),
    }
  },

  'POST /api/operator/v1/refunds/:id/approve': ({ deps, params, operator, body }) =>
    payRefundAgain(deps, { ...params, who: operator.email, seen: body.updated_time }),

  'POST /api/operator/v1/refunds/:id/cancel': ({ deps, params, body }) =>
    noData(releaseRefund(deps, { ...params, ...body })),
})
