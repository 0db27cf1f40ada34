import type { Deps } from '../../deps.ts'
import { toEmptyAnswer } from '../../http/context.ts'
import { Refusal } from '../../kit/refusal.ts'
import { readApproversBySubject } from '../../kit/second-person.ts'
import { cancelAbnormalRefund, formatRefundSubject, resendRefund } from '../refunds/decide-refund.ts'
import { serializeRefund } from '../refunds/notify.ts'
import { recordPaidRefund } from '../refunds/record-paid-refund.ts'
import { abnormalRefunds, listNewestRefundDecisions, listRefundDecisions, readAnyRefund } from '../refunds/store.ts'
import { countRequiredApprovers } from '../withdrawals/decide-withdrawal.ts'
import { readNamedPayments } from '../withdrawals/paid-elsewhere.ts'
import { defineConsoleHandlers } from './context.ts'
import { readPayoutTransactions } from './sent.ts'

type Standing = Awaited<ReturnType<typeof abnormalRefunds>>[number]
type Row = Standing | Awaited<ReturnType<typeof listNewestRefundDecisions>>[number]

function present(row: Row) {
  const { id, trade_no, receives, token, chain, address } = serializeRefund(row)
  return {
    id,
    trade_no,
    receives,
    token,
    chain,
    address,
    mchid: row.mchid,
    name: row.name,
    risk_level: row.risk_level,
    reason: row.failure,
  }
}

async function presentStanding(deps: Deps, rows: Standing[]) {
  const [approvals, named] = await Promise.all([
    readApproversBySubject(deps.pool, rows.map(formatRefundSubject)),
    readNamedPayments(deps.pool, rows, formatRefundSubject),
  ])
  const people = await Promise.all(rows.map(row => countRequiredApprovers(deps, deps.pool, row)))
  return rows.map((row, index) => ({
    ...present(row),
    created_time: row.created_at,
    updated_time: row.updated_at,
    approvals: approvals.get(formatRefundSubject(row)) ?? [],
    people: people[index]!,
    paid_by: named(row),
  }))
}

export const refundQueueHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/refunds': async ({ deps }) => {
    const [rows, decided] = await Promise.all([abnormalRefunds(deps.pool), listNewestRefundDecisions(deps.pool)])
    return {
      list: await presentStanding(deps, rows),
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

  'GET /api/operator/v1/refunds/:id': async ({ deps, params: { id } }) => {
    const row = await readAnyRefund(deps.pool, id)
    if (!row) throw new Refusal('withdrawal_not_exist', { field: 'id' })
    const [[shown], sent, decided] = await Promise.all([
      presentStanding(deps, [row]),
      readPayoutTransactions(deps, row.definition!, 'refund', row.merchant_id, id),
      listRefundDecisions(deps.pool, row.merchant_id, id),
    ])
    const { status, total, gas, reason: remark } = serializeRefund(row)
    return {
      ...shown!,
      status,
      total,
      gas,
      remark,
      ...sent,
      decided: decided.map(({ created_at, ...by }) => ({ ...by, created_time: created_at })),
    }
  },

  'POST /api/operator/v1/refunds/:id/approve': ({ deps, params, operator, body }) =>
    resendRefund(deps, { ...params, by: operator, seen: body.updated_time }),

  'POST /api/operator/v1/refunds/:id/cancel': ({ deps, params, operator, body }) =>
    toEmptyAnswer(cancelAbnormalRefund(deps, { ...params, ...body, who: operator.email })),

  'POST /api/operator/v1/refunds/:id/paid': ({ deps, operator, params, body }) =>
    recordPaidRefund(deps, { ...params, txid: body.txid, by: operator, seen: body.updated_time }),
})
