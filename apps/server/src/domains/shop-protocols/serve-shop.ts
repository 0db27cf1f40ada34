import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { Gate } from '../../kit/gate.ts'
import { RateLimiter } from '../../kit/rate-limiter.ts'
import { applicationKeyRateLimit } from '../applications/authenticate-key.ts'
import { buildInvoiceRedirectUrl } from './btcpay/invoice.ts'
import { mountBtcpay } from './btcpay/routes.ts'
import { mountCoinbase } from './coinbase/routes.ts'
import { addQueryFields } from './epay/callback.ts'
import { buildPaidFields } from './epay/order.ts'
import { mountEpay } from './epay/routes.ts'
import { mountEpusdt } from './epusdt/routes.ts'
import { acceptRawBodies, readFormFields } from './form-fields.ts'
import { recordShopRefusals } from './record-shop-refusals.ts'
import type { ServeShopRequest } from './serve.ts'
import { authenticateShops } from './shop-key.ts'
import { computeShopReturnCode, findShopPayment } from './shop-payment.ts'
import { connectionById } from './store.ts'
import { isTimingSafeEqual } from './use-connection.ts'

/** How often the request that creates an order may come again. */
const repeatRate = { burst: 20, perSecond: 0.2 }

/** Mounts the protocols of shops at the paths that their clients expect below our URL. */
export function mountShops(app: FastifyInstance, deps: Deps): void {
  const limiter = new RateLimiter(applicationKeyRateLimit)
  const gate = new Gate({ max: 3, waitMs: 10_000, waitingMax: 1_000 })
  const repeats = new RateLimiter(repeatRate)
  const serve: ServeShopRequest = async ({ connection }, work, order = '') => {
    if (order !== '') repeats.take(`${connection.id} ${order.slice(0, 64)}`, deps.clock())
    limiter.take(connection.id, deps.clock())
    const leave = await gate.enter(connection.id)
    try {
      return await work()
    } finally {
      leave()
    }
  }
  void app.register(async scope => {
    acceptRawBodies(scope)
    recordShopRefusals(scope, deps)
    authenticateShops(scope, deps)
    mountEpay(scope, deps, serve)
    mountEpusdt(scope, deps, serve)
    mountBtcpay(scope, deps, serve)
    mountCoinbase(scope, deps, serve)
    scope.get('/shop-return', (request, reply) => leadBack(deps, request, reply))
  })
}

/** Leads a payer back to the shop: with the signed fields once the order is paid, else without. */
async function leadBack(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const { shop = '', number = '', code = '' } = await readFormFields(request)
  const connection = isTimingSafeEqual(code, computeShopReturnCode(deps, shop, number))
    ? await connectionById(deps.pool, shop)
    : undefined
  const found = connection && (await findShopPayment(deps, { connection }, { outTradeNo: number }))
  const url = found?.shop.fields.return_url
  if (!connection || !found || !url) return reply.redirect(deps.config.publicUrl, 302)
  if (found.shop.form === 'btcpay') return reply.redirect(inHeader(buildInvoiceRedirectUrl(found)), 302)
  return reply.redirect(inHeader(found.paid ? addQueryFields(url, buildPaidFields(deps, connection, found)) : url), 302)
}

/**
 * A URL as a header can hold it: as the shop wrote it, but other letters than ASCII percent-encoded, as browsers do.
 */
const inHeader = (url: string): string => url.replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
