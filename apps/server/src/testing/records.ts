import { type PaymentState, paymentStatus } from '@coffer/contract'
import type { Deps } from '../deps.ts'
import { insertHistory } from '../domains/payments/store.ts'
import { addStatistics, updatePaymentStatusCounts } from '../domains/statistics/statistics-write.ts'
import { newId, newTradeNo } from '../kit/ids.ts'

/** A payment as lists and statistics see it. */
export interface TestPayment {
  trade_no: string
  appid: string
  state: PaymentState
  created_at: number
}

/** Inserts payments with their history, counts and statistics only. */
export async function addRecords(
  deps: Deps,
  merchantId: string,
  given: { appid: string; created_at: number; state?: PaymentState }[],
): Promise<TestPayment[]> {
  const made = given.map(each => ({ state: 'open' as const, ...each, trade_no: newTradeNo(each.created_at) }))
  await deps.pool.query(
    `insert into payments (merchant_id, trade_no, appid, out_trade_no, body_hash, status, usdt_amount, tolerance_permille,
       mixed_payment, payment_mode, created_at, expire_at)
     select $1, r.trade_no, r.appid, r.out_trade_no, '', r.status, 1500000, 0, true, 1, r.created_at, r.created_at + 1800
     from jsonb_to_recordset($2::jsonb) as r (trade_no text, appid text, out_trade_no text, status int, created_at bigint)`,
    [
      merchantId,
      JSON.stringify(made.map(each => ({ ...each, status: paymentStatus[each.state], out_trade_no: newId() }))),
    ],
  )
  await insertHistory(
    deps.pool,
    made.map(({ trade_no, created_at }) => ({
      merchant_id: merchantId,
      trade_no,
      seq: 1,
      status: paymentStatus.open,
      exception: 'none',
      event: 'created',
      created_at,
    })),
  )
  const of = ({ appid, created_at }: TestPayment) => ({ merchant_id: merchantId, appid, created_at })
  await addStatistics(
    deps.pool,
    made.map(each => ({ ...of(each), asset_id: '', at: each.created_at, created_num: 1n })),
  )
  await updatePaymentStatusCounts(
    deps.pool,
    made.map(each => ({ ...of(each), from: null, to: paymentStatus[each.state] })),
  )
  return made
}

/** Changes the state of a record as an event would. */
export async function moveRecord(
  deps: Deps,
  merchantId: string,
  payment: TestPayment,
  to: PaymentState,
): Promise<void> {
  const { appid, created_at, state } = payment
  const text = 'update payments set status = $3 where merchant_id = $1 and trade_no = $2'
  await deps.pool.query(text, [merchantId, payment.trade_no, paymentStatus[to]])
  await updatePaymentStatusCounts(deps.pool, [
    { merchant_id: merchantId, appid, created_at, from: paymentStatus[state], to: paymentStatus[to] },
  ])
  payment.state = to
}
