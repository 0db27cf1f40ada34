import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { emailCodePurpose } from '@coffer/contract'
import { btcpayPermissions } from '@coffer/contract/codes/shops.ts'
import { volume } from '@coffer/local/testing/full.ts'
import { chooseAsset } from '../domains/payments/choose-asset.ts'
import { makeRefundLink } from '../domains/refunds/make-link.ts'
import { connectShop } from '../domains/shop-protocols/connect.ts'
import { computeShopReturnCode } from '../domains/shop-protocols/shop-payment.ts'
import { everyDoor } from '../testing/every-door.ts'
import { mailedProof, testApplication, testMerchant, visitor } from '../testing/merchants.ts'
import { firstRow, rowsOf } from '../testing/money.ts'
import { ownedRows } from '../testing/owned-rows.ts'
import { isRefusal } from '../testing/refusals.ts'
import { isSignedFor, type Named, type ShopRequest, shopRequests, type TestShops } from '../testing/shop-requests.ts'
import { shopWorld } from '../testing/shop-world.ts'

/*
 * Walks every route of the table that knows its caller by a key, a signature or a number, and that no contract
 * describes, with the keys of another merchant. Those of the contract are walked in every-route.int.test.ts.
 */

const world = await shopWorld({ after })
const { deps, owner, merchant, payOrder } = world
const { app } = await everyDoor({ after }, deps)
const callers = ['signature', 'shop', 'holder']
/** Pages that are the same for everybody: what they show, they ask for by calls of the contract. */
const pages = ['/pay/:trade_no', '/l/:token', '/refund/:token', '/approve']
const routes = app.doors.filter(
  ({ method, url, door }) =>
    method !== 'HEAD' && callers.includes(door.who) && !door.hasContract && !pages.includes(url),
)
type Route = (typeof routes)[number]
/** Those that end what the others need come last. */
const inOrder = [
  '/refund',
  '/pull-payments',
  '/status',
  '/close',
  'cancel-transaction',
  'DELETE',
  '/unarchive',
  'api-keys/current',
].reduce(
  (all, last) => [
    ...all.filter(each => !`${each.method} ${each.url}`.includes(last)),
    ...all.filter(each => `${each.method} ${each.url}`.includes(last)),
  ],
  routes,
)

let sent = 0
async function send(request: ShopRequest) {
  // A key has a burst of calls, and twenty a second.
  if (sent++ % 10 === 0) deps.pass(1)
  return app.inject(request as ShopRequest & { method: 'GET' })
}

/** A merchant's shop of each protocol, whose keys may do all that they may. */
async function shopsOf(merchantId: string): Promise<TestShops> {
  const connect = async (protocol: 'epay' | 'epusdt' | 'btcpay' | 'coinbase', name: string) => {
    deps.pass(60)
    const whitelist = { ip_whitelist_enabled: true, ip_whitelist: ['127.0.0.1'] }
    const { appid } = await testApplication(deps, merchantId, { name, payouts_allowed: true, ...whitelist })
    const proof = await mailedProof(deps, merchantId)
    const shop = { protocol, notify_url: 'https://shop.example/notify', callback_method: 'GET' } as const
    const permissions = [...btcpayPermissions, 'btcpay.store.cancreatenonapprovedpullpayments'] as const
    const more = protocol === 'btcpay' ? { permissions: [...permissions] } : {}
    return connectShop(deps, { merchantId, appid, proof, from: visitor, ...shop, ...more })
  }
  return {
    epay: await connect('epay', 'EPay shop'),
    epusdt: await connect('epusdt', 'Epusdt shop'),
    greenfield: await connect('btcpay', 'Greenfield shop'),
    coinbase: await connect('coinbase', 'Charging shop'),
  }
}

type Protocol = keyof TestShops
const creating: Record<Protocol, string> = {
  epay: '/mapi.php',
  epusdt: '/shop/:shop/api/v1/order/create-transaction',
  greenfield: '/api/v1/stores/:store/invoices',
  coinbase: '/charges',
}
/** Whose order a route is about: pages have the forms of no protocol. */
const protocolOf = ({ door }: Route): Protocol => (door.refusal in creating ? (door.refusal as Protocol) : 'epay')

/**
 * Orders of a merchant's shops, by the requests of each protocol: one is open, one is paid, and one has a refund link.
 */
async function ordersOf(shops: TestShops, { title, back }: Pick<Named, 'title' | 'back'>) {
  const orders = {} as Record<Protocol, Named[]>
  for (const protocol of Object.keys(creating) as Protocol[]) {
    orders[protocol] = []
    const route = routes.find(({ method, url }) => method === 'POST' && url === creating[protocol])!
    for (const number of [`open-${protocol}`, `paid-${protocol}`, `linked-${protocol}`]) {
      const code = computeShopReturnCode(deps, shops.epay.id, number)
      const named = { shops, number, title, back, code, tradeNo: 'none', pull: 'none', delivery: 'none' }
      for (const request of shopRequests(route, shops, named, deps.clock())) await send(request)
      const [{ trade_no: tradeNo }] = await rowsOf(
        owner,
        `select trade_no from payments where shop ->> 'connection' = $1 order by created_at desc limit 1`,
        [shops[protocol].id],
      )
      deps.pass(1)
      if (number.startsWith('open-')) await chooseAsset(deps, { tradeNo, assetId: `${world.eth.definition.id}:USDT` })
      else await payOrder(tradeNo)
      orders[protocol].push({ ...named, tradeNo })
    }
  }
  const [, paid, linked] = orders.greenfield.map(each => each.tradeNo)
  deps.pass(60)
  const [{ merchant_id: merchantId }] = await rowsOf(owner, 'select merchant_id from payments where trade_no = $1', [
    paid,
  ])
  const proof = await mailedProof(deps, merchantId, emailCodePurpose.withdrawal)
  const link = { kind: 'all', basis: 'token', gasPayer: 'payer', reason: title } as const
  const pull = await makeRefundLink(deps, { merchantId, tradeNo: linked!, ...link, proof, from: visitor })
  const { id: delivery } = await firstRow(owner, 'select id from callbacks where trade_no = $1', [paid])
  for (const named of orders.greenfield) Object.assign(named, { pull, delivery })
  return orders
}

const first = await shopsOf(merchant.id)
const other = await testMerchant(deps)
const second = await shopsOf(other.id)
const orders = await ordersOf(first, { title: 'First title', back: 'https://first.example/back' })
const own = await ordersOf(second, { title: 'Second title', back: 'https://second.example/back' })

/** Whether a route of EPay or epusdt is another path or method of one that is tried with all orders. */
const isAlias = ({ method, url, door }: Route) =>
  door.who === 'signature' && (method === 'GET' || /^\/(?:\/|payments\/)/.test(url))
/** The first order of a shop is open. */
const triedOf = (route: Route) => orders[protocolOf(route)].slice(0, isAlias(route) ? volume(1, 3) : 3)

/** What nobody else may see of the first merchant, unless it stands in the request. */
async function secretsOfFirst(): Promise<string[]> {
  const payments = await rowsOf(owner, 'select trade_no, address, appid from payments where merchant_id = $1', [
    merchant.id,
  ])
  const texts = [merchant.id, merchant.mchid, merchant.email, 'First title', 'first.example']
  const keys = Object.values(first).flatMap(({ id, key, private_key }) => [id, key, private_key])
  const { pull, delivery } = orders.greenfield[1]!
  const rows = payments.flatMap(each => [each.trade_no, each.address, each.appid])
  return [...new Set([...texts, ...keys, ...rows, pull, delivery].filter(Boolean))]
}

/** Its rows, without those that count refusals: what anybody is refused by a shop's id, its merchant sees. */
const rowsOfFirst = async () => (await ownedRows(owner, merchant.id)).filter(each => !each.startsWith('shop_refusals '))

const textOf = (answer: { body: string; headers: object }) => `${JSON.stringify(answer.headers)} ${answer.body}`

test('another merchant reads, changes and closes nothing, on any route that knows a shop', async () => {
  const secrets = await secretsOfFirst()
  const before = await rowsOfFirst()
  let refused = 0
  for (const route of inOrder)
    for (const [at, named] of triedOf(route).entries()) {
      const { title, back, code } = own[protocolOf(route)][at]!
      // By its own id, and by the first merchant's.
      for (const shops of [second, first])
        for (const request of shopRequests(route, second, { ...named, shops, title, back, code }, deps.clock())) {
          const answer = await send(request)
          const given = JSON.stringify(request)
          const found = `${given}: ${answer.statusCode} ${answer.body}`
          assert.ok(answer.statusCode < 500, found)
          const text = textOf(answer)
          const seen = secrets.filter(each => text.includes(each) && !given.includes(each))
          assert.deepEqual(seen, [], found)
          assert.ok(!isSignedFor(first, answer), `signed for the first merchant: ${found}`)
          // Who has an order's number may see its checkout. A path without a shop is the key's own.
          const isForeign = shops === first && (route.door.who === 'signature' || /:(?:store|webhook)/.test(route.url))
          const isNamed = /:(?:invoice|id|pull|delivery)\b/.test(route.url) && route.door.who === 'shop'
          const isElsewhere = shops === second && route.door.refusal === 'epusdt' && route.door.who === 'holder'
          if (!isForeign && !isNamed && !isElsewhere) continue
          assert.ok(isRefusal[route.door.refusal](answer), found)
          refused++
        }
    }
  assert.ok(refused > 500, `${refused}`)
  assert.deepEqual(await rowsOfFirst(), before)
})

test('the first merchant is granted what the other was refused: the requests above are valid', async () => {
  const closed: string[] = []
  let signed = 0
  for (const route of inOrder) {
    let granted = 0
    // A shop repeats one order twenty times, then each 5 seconds.
    if (isAlias(route) && /submit|mapi|create/.test(route.url)) deps.pass(20)
    for (const named of triedOf(route))
      for (const request of shopRequests(route, first, named, deps.clock())) {
        const answer = await send(request)
        if (answer.statusCode < 400 && !isRefusedOf(route, answer)) granted++
        if (isSignedFor(first, answer)) signed++
      }
    if (granted === 0) closed.push(`${route.method} ${route.url}`)
  }
  assert.deepEqual(closed, [])
  assert.ok(signed > 10, `${signed}`)
})

const isRefusedOf = ({ door }: Route, answer: { statusCode: number; body: string }) =>
  door.refusal in creating && isRefusal[door.refusal](answer)
