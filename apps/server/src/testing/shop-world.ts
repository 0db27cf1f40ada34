import { createHash } from 'node:crypto'
import type { RouteBody } from '@coffer/contract'
import type { Scope } from '@coffer/local/testing/postgres.ts'
import type { FastifyInstance } from 'fastify'
import { leaseCallbacks } from '../domains/callbacks/callback-lease.ts'
import { deliverCallback } from '../domains/callbacks/deliver-callback.ts'
import { chooseAsset } from '../domains/payments/choose-asset.ts'
import { connectShop } from '../domains/shop-protocols/connect.ts'
import domain from '../domains/shop-protocols/domain.ts'
import { makeApp } from '../serve.ts'
import { mailedProof, testApplication, visitor } from './merchants.ts'
import { firstRow, type MoneyWorld, moneyWorld } from './money.ts'
import { testReceiver } from './receiver.ts'

type Protocol = RouteBody<'POST /api/v1/user/shop'>['protocol']

/** A server with a merchant, and a shop that notes what it receives and answers `shop.says`. */
export async function shopWorld(scope: Scope) {
  const world = await moneyWorld(scope, { config: { mode: 'sandbox', callbackHttp: 'allow' } })
  const { deps, merchant } = world
  const app = await makeApp(deps)
  scope.after(() => app.close())
  const { sent, shop, receiver } = await startShop(scope)

  let count = 0
  const next = () => `S-${++count}`

  async function proved() {
    deps.pass(60)
    return { merchantId: merchant.id, proof: await mailedProof(deps, merchant.id), from: visitor }
  }

  /** Connects a shop to an application of its own. */
  async function connect(protocol: Protocol, more: Partial<Parameters<typeof connectShop>[1]> = {}) {
    const { appid } = await testApplication(deps, merchant.id)
    const made = await connectShop(deps, {
      ...(await proved()),
      appid,
      protocol,
      notify_url: '',
      callback_method: 'GET',
      ...more,
    })
    return { ...made, appid }
  }

  /** Attempts the callbacks that are due; returns what the shop received. */
  async function deliver() {
    sent.length = 0
    const request = { now: deps.clock(), until: deps.clock() + 60, limit: 100, free: {}, perKey: 100 }
    for (const each of await leaseCallbacks(deps.pool, request))
      await deliverCallback(deps, each, { random: () => 0.5, forms: domain.callbackForms })
    return [...sent]
  }

  /** A shop of BTCPay with a key, and its calls of the API. */
  async function store(more = {}) {
    const connected = await connect('btcpay', more)
    return { ...connected, ...storeCalls(app, connected, next) }
  }
  const payOrder = (tradeNo: string, millionths?: bigint, time?: number) => payPart(world, tradeNo, millionths, time)
  return { ...world, app, sent, shop, receiver, next, proved, connect, store, deliver, payOrder }
}

/** Starts a shop's server. */
async function startShop(scope: Scope) {
  /** What the shop received: method, path with query, and body. */
  const sent: {
    method: string
    url: string
    body: string
    headers: Record<string, unknown>
    /** As they were written. */
    headerNames: string[]
  }[] = []
  const shop = { says: 'success' }
  const receiver = await testReceiver(scope, (request, response) => {
    const { headers, body } = receiver.received.at(-1)!
    const headerNames = request.rawHeaders.filter((_, at) => at % 2 === 0)
    sent.push({ method: request.method!, url: request.url!, body, headers, headerNames })
    response.end(shop.says)
  })
  return { sent, shop, receiver }
}

/** Pays a part of an order in USDT, in millionths of what it asks for. */
async function payPart(world: MoneyWorld, tradeNo: string, millionths = 1_000_000n, time?: number) {
  const { deps, owner } = world
  const row = await firstRow(owner, 'select address, amount from payments where trade_no = $1', [tradeNo])
  if (!row.address) await chooseAsset(deps, { tradeNo, assetId: `${world.eth.definition.id}:USDT` })
  const { address, amount } = await firstRow(owner, 'select address, amount from payments where trade_no = $1', [
    tradeNo,
  ])
  await world.eth.add([{ to: address, amount: (BigInt(amount) * millionths) / 1_000_000n }], time)
  await world.eth.confirm()
}

/** Calls of the API of BTCPay with the key of a store. `next` numbers its orders. */
function storeCalls(app: FastifyInstance, { id, key }: { id: string; key: string }, next: () => string) {
  const of = `/api/v1/stores/${id}`
  const api = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => {
    const answer = await app.inject({
      method,
      url: path.startsWith('/') ? path : `${of}/${path}`,
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, data: answer.json() }
  }
  const invoice = async (orderId = next()) =>
    (await api('POST', 'invoices', { amount: '10', currency: 'CNY', metadata: { orderId } })).data
  return { api, invoice }
}

/** Signs fields as epusdt does: over the texts that PHP makes of the values. */
export const signJson = (fields: Record<string, string | number>, key: string): string =>
  createHash('md5')
    .update(
      Object.entries(fields)
        .filter(([name, value]) => name !== 'signature' && value !== '')
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(pair => pair.join('='))
        .join('&') + key,
    )
    .digest('hex')
