import { setTimeout as sleep } from 'node:timers/promises'
import { paymentStatus as codes } from '@coffer/contract/codes.ts'
import { integerBetween, tradeNo } from '@coffer/contract/kit/schemas.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { expirePayments } from '../domains/payments/expire-payments.ts'
import { all, first, run, tx } from '../kit/db.ts'
import { liveHints } from '../kit/outbox.ts'
import { Refusal } from '../kit/refusal.ts'

const clockBody = z.strictObject({ seconds: integerBetween(1, 30 * 86_400), trade_no: tradeNo.optional() })
const expireBody = z.strictObject({ trade_no: tradeNo })

/**
 * Time (ms) to wait until payments that are due have timed out: their chain must be read up to then, which an idle one
 * notes every 5 s.
 */
const patience = { maxMs: 15_000, stepMs: 50 }

/**
 * Mounts `POST /sandbox/clock`, which brings the deadlines of open payments and the next attempts of callbacks forward,
 * of all or of one payment, and `POST /sandbox/expire`, which times out one payment. The deadlines move, not the clock:
 * sessions, prices, blocks and the timestamps of signed callbacks keep the real time, which receivers compare with
 * their own.
 */
export function mountClock(app: FastifyInstance, deps: Deps): void {
  app.post('/sandbox/clock', async request => {
    const { seconds, trade_no = null } = clockBody.parse(request.body, { reportInput: true })
    const data = await tx(deps.pool, async (c, uow) => {
      const payments = await advancePayments(c, seconds, trade_no)
      uow.add(
        liveHints,
        payments.map(({ merchant_id, trade_no }) => ({ merchant_id, type: 'payment', id: trade_no })),
      )
      return { payments: payments.length, callbacks: await advanceCallbacks(c, seconds, trade_no) }
    })
    await expireDue(deps)
    return { code: 200, data }
  })

  app.post('/sandbox/expire', async request => {
    const { trade_no } = expireBody.parse(request.body, { reportInput: true })
    await expirePayment(deps, trade_no)
    return { code: 200, data: { trade_no, ...(await statusOf(deps.pool, trade_no)) } }
  })
}

const stillOpen = `status in (${codes.open}, ${codes.dropped})`
const advancePayments = all(
  'sandbox-clock-payments',
  `update payments set expire_at = expire_at - $1::bigint where ${stillOpen} and ($2::text is null or trade_no = $2)
   returning merchant_id, trade_no`,
)
export const advanceCallbacks = run(
  'sandbox-clock-callbacks',
  `update callbacks set next_at = next_at - $1::bigint where next_at is not null and ($2::text is null or trade_no = $2) returning 1`,
)
const endPayment = run(
  'sandbox-expire',
  `update payments set expire_at = least(expire_at, $2) where trade_no = $1 and ${stillOpen} returning 1`,
)
const statusOf = first('sandbox-payment-status', 'select status from payments where trade_no = $1')
const due = first('sandbox-due', `select count(*)::int as n from payments where ${stillOpen} and expire_at <= $1`)

/**
 * Brings the deadline of one open payment to now, and times it out unless a transfer in time waits for its
 * confirmations.
 */
export async function expirePayment(deps: Deps, tradeNo: string): Promise<void> {
  if (!(await endPayment(deps.pool, tradeNo, deps.clock())))
    throw new Refusal((await statusOf(deps.pool, tradeNo)) ? 'transaction_ended' : 'transaction_not_exist', {
      field: 'trade_no',
    })
  await expireDue(deps)
}

/** Times out all payments that are due. Those with an unconfirmed deposit in time stay open. */
async function expireDue(deps: Deps): Promise<void> {
  for (let waited = 0; waited < patience.maxMs; waited += patience.stepMs) {
    while ((await expirePayments(deps)) > 0);
    if ((await due(deps.pool, deps.clock()))!.n === 0) return
    await sleep(patience.stepMs)
  }
}
