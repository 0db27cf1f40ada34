import type { RouteBody } from '@coffer/contract'
import type { Deps } from '../../deps.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'
import { throttle } from '../../kit/throttle.ts'
import type { Order } from '../payments/present-order.ts'
import { createInvoice } from './btcpay/invoice.ts'
import { createCharge } from './coinbase/charge.ts'
import { createEpayOrder } from './epay/order.ts'
import { createEpusdtOrder } from './epusdt/order.ts'
import { connectionById } from './store.ts'
import { findConnection, type ShopCaller } from './use-connection.ts'

/** The smallest of these amounts whose value an order may have is used: a cent is too little in many currencies. */
const amounts = ['0.01', '1', '1000']

/**
 * Creates an order as the shop of a connection would, in the sandbox only, without an amount of a small one. Its
 * callback goes to `notify_url`, by default to that of the connection. Changes nothing about which key the shop is
 * known to use.
 */
export async function createTestOrder(
  deps: Deps,
  {
    merchantId,
    id,
    notify_url,
    amount: given,
    title,
  }: RouteBody<'POST /api/v1/user/shop/test'> & { merchantId: string },
): Promise<{ trade_no: string; pay_url: string }> {
  if (deps.config.mode !== 'sandbox')
    throw new Refusal('parameter_error', {
      detail: {
        en: 'Test orders can only be made in the sandbox',
        'zh-CN': '仅可在沙盒中创建测试订单',
      },
    })
  const row = await connectionById(deps.pool, id)
  if (!row || row.merchant_id !== merchantId || row.ended_at !== null) throw new Refusal('application_not_exist')
  await throttle(deps, `test order ${merchantId}`, { max: 10, seconds: 60 })
  const { checkUse, ...caller } = await findConnection(deps, { id, protocol: [row.protocol], field: 'id' })
  await checkUse()
  const url = notify_url || row.notify_url
  if (url === '') throw new Refusal('bad_url', { field: 'notify_url' })
  for (const amount of given === undefined ? amounts : [given]) {
    try {
      const { trade_no, pay_url } = await create(deps, caller, { notify_url: url, amount, title })
      return { trade_no, pay_url }
    } catch (error) {
      const isTooSmall = error instanceof Refusal && error.reason === 'amount_too_small'
      if (given !== undefined || !isTooSmall) throw error
    }
  }
  throw new Refusal('amount_too_small')
}

async function create(
  deps: Deps,
  caller: ShopCaller,
  { notify_url, amount, title = '' }: { notify_url: string; amount: string; title: string | undefined },
): Promise<Order> {
  const { connection } = caller
  const { id: pid, protocol, currency } = connection
  const number = `test-${newId()}`
  switch (protocol) {
    case 'epay': {
      const fields = { pid, out_trade_no: number, notify_url, name: title, money: amount }
      return createEpayOrder(deps, { ...caller, fields, signing: 'md5' })
    }
    case 'btcpay': {
      const shop = { ...caller, connection: { ...connection, notify_url } }
      return (await createInvoice(deps, shop, { amount, currency, metadata: { orderId: number, itemDesc: title } }))
        .order
    }
    case 'coinbase': {
      const shop = { ...caller, connection: { ...connection, notify_url } }
      const local_price = { amount, currency }
      return (await createCharge(deps, shop, { name: title, pricing_type: 'fixed_price', local_price })).order
    }
    default: {
      const fields = { pid, order_id: number, amount, notify_url, ...(title && { name: title }) }
      return (await createEpusdtOrder(deps, caller, fields, protocol === 'gmpay' ? 'gmpay' : 'epusdt')).order
    }
  }
}
