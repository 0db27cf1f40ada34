import type { Deps } from '../../deps.ts'
import { usdt } from '../../kit/amounts.ts'
import { Refusal } from '../../kit/refusal.ts'
import { listApplications } from '../applications/store.ts'
import { givenUp, listCallbacks } from '../callbacks/store.ts'
import { findAnyPayments } from '../payments/find-any-payment.ts'
import { paymentDetail } from '../payments/records/payment-detail.ts'
import { defineConsole } from './context.ts'
import { named } from './merchant-routes.ts'

const [applicationsMax, callbacksMax] = [100, 200]

/** Handlers that read payments, applications and callbacks of any merchant. */
export const lookupHandlers = defineConsole({
  'GET /api/operator/v1/payments': async ({ deps, query }) => ({
    list: (await findAnyPayments(deps.pool, query.text)).map(({ created_at, merchant_id: _, usdt_amount, ...row }) => ({
      ...row,
      usdt_amount: usdt(usdt_amount),
      created_time: created_at,
    })),
  }),

  'GET /api/operator/v1/payments/:id': async ({ deps, params: { id } }) => {
    const { mchid, merchant_id } = await anyPayment(deps, id)
    return { mchid, ...(await paymentDetail(deps, merchant_id, id)) }
  },

  'GET /api/operator/v1/applications': async ({ deps, query }) => {
    const { id } = await named(deps, query.mchid)
    const { rows } = await listApplications(deps.pool, id, {}, { limit: applicationsMax, offset: 0 })
    return {
      list: rows.map(({ appid, name, status, key_masked, notify_url, payouts_allowed, created_at }) => ({
        ...{ appid, name, status, notify_url, payouts_allowed },
        secret_key: key_masked,
        created_time: created_at,
      })),
    }
  },

  'GET /api/operator/v1/callbacks': async ({ deps, query: { trade_no } }) => {
    const rows = trade_no === undefined ? await givenUp(deps.pool) : await callbacksOf(deps, trade_no)
    return {
      list: rows.map(({ id, mchid, trade_no, event, status, url, attempts, result, created_at }) => ({
        ...{ id, mchid, trade_no, event, status, url, attempts, result },
        created_time: created_at,
      })),
    }
  },
})

async function anyPayment({ pool }: Deps, tradeNo: string) {
  const found = (await findAnyPayments(pool, tradeNo)).find(each => each.trade_no === tradeNo)
  if (!found) throw new Refusal('transaction_not_exist', { field: 'trade_no' })
  return found
}

async function callbacksOf(deps: Deps, tradeNo: string) {
  const { mchid, merchant_id } = await anyPayment(deps, tradeNo)
  const { rows } = await listCallbacks(
    deps.pool,
    merchant_id,
    { trade_no: tradeNo },
    { limit: callbacksMax, offset: 0 },
  )
  return rows.map(row => ({ ...row, mchid }))
}
