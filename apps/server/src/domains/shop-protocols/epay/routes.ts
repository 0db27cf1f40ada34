import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { formatTimeInZone } from '../../../kit/days.ts'
import { createFieldRefusal } from '../../../kit/refusal.ts'
import { wholeShop } from '../../../kit/visible-to.ts'
import { readMerchantTimeZone } from '../../merchants/store.ts'
import { closePayment } from '../../payments/close-payment.ts'
import { pagePayments } from '../../payments/records/payment-list.ts'
import { listShopPayments, type ShopPayment, skippedOrdersMax } from '../../payments/shop-order.ts'
import type { TextFields } from '../fields.ts'
import { readFormFields } from '../form-fields.ts'
import type { ServeShopRequest, ShopRequestHandler } from '../serve.ts'
import { findShopPayment, isMoneyReturned } from '../shop-payment.ts'
import { createSignatureRefusal, findConnection, isTimingSafeEqual, type ShopCaller } from '../use-connection.ts'
import {
  authenticateEpayCaller,
  createEpayOrder,
  type EpayCaller,
  type EpayRecipient,
  signEpayAnswer,
} from './order.ts'

const both = ['GET', 'POST'] as const

/**
 * Mounts EPay: the page that payers are sent to, the JSON calls of the first version, and those of the second, signed
 * with RSA.
 */
export function mountEpay(scope: FastifyInstance, deps: Deps, serve: ServeShopRequest): void {
  const toCheckout = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticateEpayCaller(deps, await readFormFields(request), request)
    const order = await makeOrder(deps, serve, caller)
    return reply.redirect(order.pay_url, 302)
  }
  // The last is where GMPay has them.
  for (const start of ['', '/', '/payments/epay/v1/order/create-transaction']) {
    const at = (url: string, handler: ShopRequestHandler) =>
      scope.route({ method: [...both], url: start + url, handler })
    at('/submit.php', toCheckout)
    at('/api/pay/submit', toCheckout)
    at('/mapi.php', request => create(deps, serve, request))
    at('/api.php', request => act(deps, serve, request))
    at('/api/pay/create', request => create2(deps, serve, request))
    at('/api/pay/query', request => query2(deps, serve, request))
    at('/api/pay/close', request => close2(deps, serve, request))
    at('/api/merchant/info', request => info2(deps, serve, request))
    at('/api/merchant/orders', request => orders2(deps, serve, request))
  }
}

const makeOrder = (deps: Deps, serve: ServeShopRequest, caller: EpayCaller) =>
  serve(caller, () => createEpayOrder(deps, caller), caller.fields.out_trade_no)

async function create(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await authenticateEpayCaller(deps, await readFormFields(request), request)
  const order = await makeOrder(deps, serve, caller)
  return { code: 1, msg: 'success', trade_no: order.trade_no, payurl: order.pay_url }
}

async function create2(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await authenticateEpayCaller(deps, await readFormFields(request), request)
  const order = await makeOrder(deps, serve, caller)
  const made = { code: '0', msg: 'success', trade_no: order.trade_no, pay_type: 'jump', pay_info: order.pay_url }
  return { ...signEpayAnswer(deps, caller, made), code: 0 }
}

type Reader = EpayRecipient & { fields: TextFields }

/**
 * Who reads or closes orders: the key itself stands in the request, as the protocol prescribes, or RSA has signed it
 * just now. The payer holds the shop's signed order, so what is part of one opens nothing here, and nor does MD5, which
 * has no time.
 */
async function reader(deps: Deps, request: FastifyRequest): Promise<Reader> {
  const fields = await readFormFields(request)
  for (const field of ['money', 'notify_url'])
    if (fields[field] !== undefined) throw createFieldRefusal(field, 'only where an order is created', '仅用于创建订单')
  if (fields.key === undefined) {
    if (fields.sign_type?.toUpperCase() !== 'RSA') throw createSignatureRefusal('key')
    return authenticateEpayCaller(deps, fields, request)
  }
  const found = await findConnection(deps, { id: fields.pid ?? '', protocol: ['epay'], field: 'key', request })
  const key = found.keys.filter(each => isTimingSafeEqual(each, fields.key ?? ''))[0]
  if (key === undefined) throw createSignatureRefusal('key')
  await found.checkUse(key)
  return { ...found, fields, signing: null }
}

/** `api.php`: what the id and the key may read. */
async function act(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await reader(deps, request)
  const { fields } = caller
  return serve(caller, async () => {
    if (fields.act === 'query') return { code: 1, msg: 'success', ...(await account(deps, caller)) }
    // Money leaves by withdrawals, which this key can neither make nor see.
    if (fields.act === 'settle') return { code: 1, msg: 'success', data: [] }
    if (fields.act === 'orders') return { code: 1, msg: 'success', ...(await listOrders(deps, caller, fields)) }
    if (fields.act !== 'order')
      throw createFieldRefusal('act', 'one of query, settle, order, orders', '可选值为 query、settle、order、orders')
    return { code: 1, msg: 'success', ...(await presentFound(deps, caller, await foundBy(deps, caller, fields))) }
  })
}

/**
 * One order. Signed by RSA is all of it only when it is paid: else the signature leaves out by which a callback names
 * an order, which then stands in `data`.
 */
async function query2(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await reader(deps, request)
  const { order, paid } = await serve(caller, async () => {
    const found = await foundBy(deps, caller, caller.fields)
    return { order: await presentFound(deps, caller, found), paid: found.paid }
  })
  const { trade_no, pid, status, ...data } = order
  const covered = { trade_no, pid, status, ...((paid || caller.signing === null) && data) }
  const texts = Object.fromEntries(Object.entries(covered).map(([name, value]) => [name, String(value)]))
  const answer = signEpayAnswer(deps, caller, { code: '0', msg: 'success', ...texts })
  return { ...answer, code: 0, pid, status, data }
}

/** Closes an order that has received nothing. */
async function close2(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await reader(deps, request)
  const { merchant_id: merchantId, appid } = caller.connection
  await serve(caller, async () => {
    const { order } = await foundBy(deps, caller, caller.fields)
    await closePayment(deps, { merchantId, appid, tradeNo: order.trade_no })
  })
  return { ...signEpayAnswer(deps, caller, { code: '0', msg: 'success' }), code: 0 }
}

/** Lists orders by an offset. Signatures leave lists out. */
async function orders2(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await reader(deps, request)
  const { data } = await serve(caller, () => listOrders(deps, caller, caller.fields))
  return { ...signEpayAnswer(deps, caller, { code: '0', msg: 'success' }), code: 0, data }
}

async function info2(deps: Deps, serve: ServeShopRequest, request: FastifyRequest) {
  const caller = await reader(deps, request)
  const { pid, active, money, orders } = await serve(caller, () => account(deps, caller))
  const texts = {
    code: '0',
    msg: 'success',
    pid: String(pid),
    status: String(active),
    money,
    order_num: String(orders),
  }
  return { ...signEpayAnswer(deps, caller, texts), code: 0, pid, status: active, order_num: orders }
}

async function account(deps: Deps, { connection }: ShopCaller) {
  const { merchant_id, appid } = connection
  const { total } = await pagePayments(deps.pool, wholeShop(merchant_id), { appid }, { limit: 1, offset: 0 })
  return { pid: Number(connection.id), active: 1, money: '0.00', orders: total }
}

/** The newest orders of the connection, at most 50 a page, which is counted or begins at an offset. */
async function listOrders(deps: Deps, caller: ShopCaller, { limit = '', page = '', offset: given = '' }: TextFields) {
  const { merchant_id: merchantId, appid, id: connection } = caller.connection
  const whole = (text: string, usual: number) => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : usual)
  const most = Math.min(whole(limit, 20), 50)
  const offset = given === '' ? (whole(page, 1) - 1) * most : whole(given, 0)
  if (offset > skippedOrdersMax) return { count: 0, data: [] }
  const range = { since: 0, until: deps.clock(), offset, limit: most }
  const rows = await listShopPayments(deps.pool, deps.config.publicUrl, { merchantId, appid, connection }, range)
  const zone = await readMerchantTimeZone(deps.pool, { merchantId })
  return { count: rows.length, data: rows.map(row => presentOrder(row, caller, zone)) }
}

async function foundBy(deps: Deps, caller: ShopCaller, { trade_no = '', out_trade_no = '' }: TextFields) {
  const number = trade_no ? { tradeNo: trade_no } : { outTradeNo: out_trade_no }
  const found = await findShopPayment(deps, caller, number)
  if (!found) throw createFieldRefusal(trade_no ? 'trade_no' : 'out_trade_no', 'no such order', '订单不存在')
  return found
}

async function presentFound(deps: Deps, caller: ShopCaller, found: ShopPayment) {
  return presentOrder(
    found,
    caller,
    await readMerchantTimeZone(deps.pool, { merchantId: caller.connection.merchant_id }),
  )
}

/** 1 paid, 2 paid and given back, 0 anything else. */
const stateOf = (payment: ShopPayment): 0 | 1 | 2 => (payment.paid ? 1 : isMoneyReturned(payment) ? 2 : 0)

function presentOrder(payment: ShopPayment, { connection }: ShopCaller, zone: string) {
  const { order, shop } = payment
  const { type = '', name = '', money = '', param = '' } = shop.fields
  const at = (time: number) => formatTimeInZone(time, zone)
  return {
    trade_no: order.trade_no,
    out_trade_no: order.out_trade_no,
    api_trade_no: order.deposits.at(-1)?.txid ?? '',
    type,
    pid: Number(connection.id),
    addtime: at(order.created_time),
    endtime: order.paid_time > 0 ? at(order.paid_time) : '',
    name,
    money,
    status: stateOf(payment),
    param,
    buyer: '',
  }
}
