import { formatDecimal } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { usdtText } from '../../kit/amounts.ts'
import { Refusal } from '../../kit/refusal.ts'
import { wholeShop } from '../../kit/visible-to.ts'
import { listApplications } from '../applications/store.ts'
import { listAbandonedCallbacks, listCallbacks, listMerchantAbandonedCallbacks } from '../callbacks/store.ts'
import { liveSessions } from '../identity/sessions/sessions.ts'
import { findMerchants, merchantById } from '../merchants/store.ts'
import { findAnyPayments } from '../payments/find-any-payment.ts'
import { paymentDetail } from '../payments/records/payment-detail.ts'
import { pagePayments } from '../payments/records/payment-list.ts'
import { refundsOfPayment } from '../refunds/store.ts'
import { findAnyWithdrawals, listNewestMerchantWithdrawals } from '../withdrawals/list.ts'
import { defineConsoleHandlers } from './context.ts'
import { requireMerchant } from './merchant-routes.ts'
import { presentOtherWithdrawals } from './withdrawal-routes.ts'

const applicationsMax = 100
const callbacksMax = 200
const foundMax = 20
const newestMax = 10

type Found = Pick<
  Awaited<ReturnType<typeof findAnyPayments>>[number],
  'mchid' | 'merchant' | 'trade_no' | 'out_trade_no' | 'title' | 'usdt_amount' | 'status' | 'created_at'
>

const presentPayment = (row: Found) => ({
  mchid: row.mchid,
  merchant: row.merchant,
  trade_no: row.trade_no,
  out_trade_no: row.out_trade_no,
  title: row.title ?? '',
  status: row.status,
  usdt_amount: usdtText(row.usdt_amount),
  created_time: row.created_at,
})

const presentRefund = (row: Awaited<ReturnType<typeof refundsOfPayment>>[number]) => ({
  id: row.id,
  status: row.status,
  receives: formatDecimal(row.receives, row.decimals),
  token: row.symbol,
  chain: row.definition.name,
  created_time: row.created_at,
})

/** Handlers that read payments, applications and callbacks of any merchant. */
export const lookupHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/search': async ({ deps, query }) => {
    const text = query.text.trim()
    const [merchants, payments, withdrawals] = await Promise.all([
      findMerchants(deps.pool, null, { text }, { limit: foundMax, offset: 0 }),
      findAnyPayments(deps.pool, text),
      findAnyWithdrawals(deps.pool, text),
    ])
    return {
      merchants: merchants.rows.map(({ mchid, email, name }) => ({ mchid, email, name })),
      payments: payments.map(presentPayment),
      withdrawals: presentOtherWithdrawals(withdrawals),
    }
  },

  'GET /api/operator/v1/merchants/:id/activity': async ({ deps, params }) => {
    const { id, mchid, name: merchant, frozen } = await requireMerchant(deps, params.id)
    const [payments, withdrawals, callbacks, sessions] = await Promise.all([
      pagePayments(deps.pool, wholeShop(id), {}, { limit: newestMax, offset: 0 }),
      listNewestMerchantWithdrawals(deps.pool, id),
      listMerchantAbandonedCallbacks(deps.pool, id),
      frozen ? [] : liveSessions(deps, id),
    ])
    return {
      payments: payments.rows.map(row => presentPayment({ ...row, mchid, merchant })),
      withdrawals: presentOtherWithdrawals(withdrawals),
      callbacks: callbacks.map(({ created_at, ...row }) => ({ mchid, ...row, created_time: created_at })),
      sessions: sessions.map(({ id, ip, device, created_at, last_seen }) => ({
        id,
        ip,
        device,
        last_seen,
        created_time: created_at,
      })),
    }
  },

  'GET /api/operator/v1/payments': async ({ deps, query }) => ({
    list: (await findAnyPayments(deps.pool, query.text)).map(presentPayment),
  }),

  'GET /api/operator/v1/payments/:id': async ({ deps, params: { id } }) => {
    const { mchid, merchant_id } = await anyPayment(deps, id)
    const merchant = (await merchantById(deps.pool, merchant_id))?.name ?? ''
    const [detail, refunds] = await Promise.all([
      paymentDetail(deps, wholeShop(merchant_id), id),
      refundsOfPayment(deps.pool, merchant_id, id),
    ])
    return { mchid, merchant, ...detail, refunds: refunds.map(presentRefund) }
  },

  'GET /api/operator/v1/applications': async ({ deps, query }) => {
    const { id } = await requireMerchant(deps, query.mchid)
    const { rows } = await listApplications(deps.pool, id, {}, { limit: applicationsMax, offset: 0 })
    return {
      list: rows.map(({ appid, name, status, key_masked, notify_url, payouts_allowed, created_at }) => ({
        appid,
        name,
        status,
        notify_url,
        payouts_allowed,
        secret_key: key_masked,
        created_time: created_at,
      })),
    }
  },

  'GET /api/operator/v1/callbacks': async ({ deps, query: { trade_no } }) => {
    const rows = trade_no === undefined ? await listAbandonedCallbacks(deps.pool) : await callbacksOf(deps, trade_no)
    return {
      list: rows.map(
        ({ id, mchid, trade_no, out_trade_no, title, event, status, url, attempts, result, created_at }) => ({
          id,
          mchid,
          trade_no,
          out_trade_no: out_trade_no ?? '',
          title: title ?? '',
          event,
          status,
          url,
          attempts,
          result,
          created_time: created_at,
        }),
      ),
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
