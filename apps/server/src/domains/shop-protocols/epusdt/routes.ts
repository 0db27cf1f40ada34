import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { RateLimiter } from '../../../kit/rate-limiter.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { networkKey } from '../../../kit/visitor.ts'
import { applicationKeyRateLimit } from '../../applications/authenticate-key.ts'
import { closePayment } from '../../payments/close-payment.ts'
import { readFormFields } from '../form-fields.ts'
import { parseJsonFields } from '../json-fields.ts'
import type { ServeShopRequest } from '../serve.ts'
import { findShopPayment } from '../shop-payment.ts'
import { findConnection, type ShopCaller } from '../use-connection.ts'
import {
  authenticateEpusdtCaller,
  createEpusdtOrder,
  type EpusdtDialect,
  epusdtProtocols,
  presentEpusdtOrder,
  presentStatus,
} from './order.ts'
import { chooseMethod, paymentMethods } from './payment-methods.ts'

interface Server {
  deps: Deps
  serve: ServeShopRequest
}

/**
 * Mounts the calls of epusdt, BEpusdt and GMPay: create, cancel, choose what is paid, and the state of an order. The
 * first two send no id: it stands in the URL that the shop is given, before the path.
 */
export function mountEpusdt(scope: FastifyInstance, deps: Deps, serve: ServeShopRequest): void {
  mountSigned(scope, { deps, serve })
  mountUnsigned(scope, deps)
}

/** Mounts the calls that a shop signs, and its address of the checkout. */
function mountSigned(scope: FastifyInstance, server: Server): void {
  const create = (dialect: EpusdtDialect) => (request: FastifyRequest) => createOrder(server, request, dialect)
  for (const start of ['', '/shop/:shop']) {
    scope.post(`${start}/api/v1/order/create-transaction`, create('epusdt'))
    scope.post(`${start}/api/v1/order/create-order`, create('choice'))
    scope.post(`${start}/api/v1/order/cancel-transaction`, request => cancelOrder(server, request))
    scope.post(`${start}/payments/epusdt/v1/order/create-transaction`, create('epusdt'))
    scope.post(`${start}/payments/gmpay/v1/order/create-transaction`, create('gmpay'))
    // Some clients do not read the payment_url, but build that of a checkout themselves.
    scope.get(`${start}/pay/checkout-counter/:trade`, (request, reply) =>
      reply.redirect(`/pay/${encodeURIComponent((request.params as { trade: string }).trade)}`, 302),
    )
  }
}

/** Mounts the calls of a checkout, which nobody signs. */
function mountUnsigned(scope: FastifyInstance, deps: Deps): void {
  const strangers = new RateLimiter(applicationKeyRateLimit)
  // Clients send neither key nor signature: who knows the number of an order may know its state and choose how it is
  // paid, as its payer does. Their calls are counted by where they come from, so that nobody uses up those of the shop.
  const findCaller = (request: FastifyRequest) => {
    strangers.take(networkKey(request.ip), deps.clock())
    const { shop: id } = request.params as { shop: string }
    return findConnection(deps, { id, protocol: epusdtProtocols, field: 'trade_id' })
  }
  scope.post('/shop/:shop/api/v1/pay/methods', async request => listMethods(deps, await findCaller(request), request))
  scope.post('/shop/:shop/api/v1/pay/update-order', async request =>
    changeMethod(deps, await findCaller(request), request),
  )
  for (const path of ['/pay/check-status/:trade', '/api/v1/order/check-status/:trade'])
    scope.get(`/shop/:shop${path}`, async request => checkStatus(deps, await findCaller(request), request))
}

/** Checks the signature of a request. Returns the shop and the fields that it has signed. */
async function checkSigned(deps: Deps, request: FastifyRequest) {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/)/i.test(request.headers['content-type'] ?? '')
  const fields = isForm ? await readFormFields(request) : parseJsonFields(request)
  const others = isForm ? [] : [parseJsonFields(request, { words: true })]
  const { shop } = request.params as { shop?: string }
  return authenticateEpusdtCaller(deps, { id: shop ?? fields.pid ?? '', readings: [fields, ...others], request })
}

const success = (request: FastifyRequest) => ({ status_code: 200, message: 'success', request_id: request.id })

type Caller = Pick<ShopCaller, 'connection'>

async function findOrder(deps: Deps, caller: Caller, tradeNo: string) {
  const payment = await findShopPayment(deps, caller, { tradeNo })
  if (!payment) throw new Refusal('transaction_not_exist')
  return payment
}

async function createOrder({ deps, serve }: Server, request: FastifyRequest, dialect: EpusdtDialect) {
  const { caller, fields } = await checkSigned(deps, request)
  const payment = await serve(caller, () => createEpusdtOrder(deps, caller, fields, dialect), fields.order_id)
  const network = dialect === 'choice' && { network: await paymentMethods(deps, payment) }
  return { ...success(request), data: { ...presentEpusdtOrder(payment, caller.connection, deps.clock()), ...network } }
}

async function cancelOrder({ deps, serve }: Server, request: FastifyRequest) {
  const { caller, fields } = await checkSigned(deps, request)
  const { merchant_id: merchantId, appid } = caller.connection
  const { trade_id = '' } = fields
  await serve(caller, async () => {
    await findOrder(deps, caller, trade_id)
    await closePayment(deps, { merchantId, appid, tradeNo: trade_id })
  })
  return { ...success(request), data: { trade_id } }
}

async function checkStatus(deps: Deps, caller: Caller, request: FastifyRequest) {
  const { trade } = request.params as { trade: string }
  return { ...success(request), ...presentStatus(await findOrder(deps, caller, trade)) }
}

async function listMethods(deps: Deps, caller: Caller, request: FastifyRequest) {
  const { trade_id = '', currency = '' } = parseJsonFields(request)
  const all = await paymentMethods(deps, await findOrder(deps, caller, trade_id))
  const methods = all.filter(each => currency === '' || each.currency === currency.toUpperCase())
  return { ...success(request), data: { methods } }
}

async function changeMethod(deps: Deps, caller: Caller, request: FastifyRequest) {
  const { trade_id = '', ...method } = parseJsonFields(request)
  const trade_type = await chooseMethod(deps, await findOrder(deps, caller, trade_id), method)
  const data = presentEpusdtOrder(await findOrder(deps, caller, trade_id), caller.connection, deps.clock())
  return { ...success(request), data: { ...data, trade_type } }
}
