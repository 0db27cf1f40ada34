import { createHash, createPrivateKey, createPublicKey, createSign, createVerify } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { memoizeByKey } from '../http/docs/documentation.ts'
import { signJson } from './shop-world.ts'

type Route = FastifyInstance['doors'][number]
type Texts = Record<string, string>

/** A connected shop: its id and keys. */
export interface TestShop {
  id: string
  key: string
  private_key: string
  platform_public_key: string
}
/** Shops of one merchant, one of each protocol. */
export type TestShops = Record<'epay' | 'epusdt' | 'greenfield' | 'coinbase', TestShop>

/** What a request names of the shop whose order it is about. */
export interface Named {
  /** The id of the shop, in the path or among the fields. */
  shops: TestShops
  /** The order's number with the shop, and with us. */
  number: string
  tradeNo: string
  /** What the shop says about it, and where its payer goes back to. */
  title: string
  back: string
  /** By which a payer of `by` goes back from an order of that number. */
  code: string
  /** A refund link, and a callback, of the order. */
  pull: string
  delivery: string
}

export interface ShopRequest {
  method: string
  url: string
  headers: Texts
  payload?: string
}

/** The texts that are signed: sorted, and without those that are empty. */
const joined = (fields: Texts) =>
  Object.keys(fields)
    .filter(name => fields[name] !== '')
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Whether one of the shops would take the fields of an answer, or of where it leads, as signed for it. */
export function isSignedFor(shops: TestShops, answer: { body: string; headers: Record<string, unknown> }): boolean {
  const leads = new URL(String(answer.headers.location ?? '/'), 'http://localhost')
  const given = /^\s*\{/.test(answer.body) ? JSON.parse(answer.body) : {}
  const plain = [given, given.data ?? {}].map(each =>
    Object.fromEntries(Object.entries(each as object).filter(([, value]) => typeof value !== 'object')),
  )
  return [...plain, Object.fromEntries(leads.searchParams)].some(({ sign, signature, sign_type: _, ...fields }) => {
    if (sign === undefined && signature === undefined) return false
    const text = joined(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])))
    return Object.values(shops).some(({ key, platform_public_key }) => {
      if ([sign, signature].includes(md5(text + key))) return true
      if (typeof sign !== 'string' || platform_public_key === '') return false
      const platform = createPublicKey({
        key: Buffer.from(platform_public_key, 'base64'),
        format: 'der',
        type: 'spki',
      })
      return createVerify('RSA-SHA256').update(text).verify(platform, sign, 'base64')
    })
  })
}

const privateKeyOf = memoizeByKey((text: string) =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }),
)

/** Each way in which a shop of EPay shows that it asks. */
const epayProofs: ((fields: Texts, shop: TestShop, now: number) => Texts)[] = [
  fields => fields,
  (fields, { key }) => ({
    ...fields,
    sign: md5(joined(fields) + key),
    sign_type: 'MD5',
  }),
  (fields, { private_key }, now) => {
    const timed = { ...fields, timestamp: String(now) }
    const sign = createSign('RSA-SHA256').update(joined(timed)).sign(privateKeyOf(private_key), 'base64')
    return { ...timed, sign, sign_type: 'RSA' }
  },
  (fields, { key }) => ({ ...fields, key }),
]

/** What shops send, in the names of every protocol: to create the order again, to name it in each way, and to list. */
const fieldsOf = ({ number, tradeNo, title: name, back }: Named): Texts[] => [
  {
    out_trade_no: number,
    order_id: number,
    money: '13.37',
    amount: '13.37',
    currency: 'CNY',
    notify_url: 'https://shop.example/notify',
    name,
    return_url: back,
    redirect_url: back,
  },
  { act: 'order', trade_no: tradeNo, trade_id: tradeNo },
  { act: 'order', out_trade_no: number, order_id: number },
  { act: 'orders' },
]

/** A body for every call of Greenfield and Coinbase Commerce: each reads what it knows. */
const bodyOf = ({ number, title, back }: Named) => ({
  amount: '13.37',
  currency: 'CNY',
  metadata: { orderId: number, itemDesc: title },
  checkout: { redirectURL: back },
  redirect_url: back,
  pricing_type: 'fixed_price',
  local_price: { amount: '13.37', currency: 'CNY' },
  refundVariant: 'Custom',
  customAmount: '13.37',
  customCurrency: 'CNY',
  status: 'Invalid',
  name: `Refund of order ${number}; returned`,
  url: 'https://shop.example/webhook',
  authorizedEvents: { everything: true },
})

/** Fills the names in a path. A name that is not known here ends the test: say what it names. */
function pathOf(url: string, { shops, tradeNo, pull, delivery }: Named): string {
  const ids: Texts = {
    shop: shops.epusdt.id,
    store: shops.greenfield.id,
    webhook: shops.greenfield.id,
    trade: tradeNo,
    invoice: tradeNo,
    id: tradeNo,
    trade_no: tradeNo,
    pull,
    delivery,
  }
  return url.replace(/:(\w+)/g, (_, name: string) => {
    if (!ids[name]) throw new Error(`${url} names :${name}, which testing/shop-requests.ts does not know`)
    return ids[name]
  })
}

/**
 * The requests by which a shop that has the keys of `by` asks a route about an order of `named`, in each way that it
 * could.
 */
export function shopRequests(route: Route, by: TestShops, named: Named, now: number): ShopRequest[] {
  const { method, door } = route
  const url = pathOf(route.url, named)
  const make = (fields: Texts, isForm: boolean): ShopRequest => {
    if (method === 'GET' || method === 'HEAD')
      return { method, url: `${url}?${new URLSearchParams(fields)}`, headers: {} }
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const payload = isForm ? String(new URLSearchParams(fields)) : JSON.stringify(fields)
    return { method, url, headers: { 'content-type': type }, payload }
  }
  if (door.who === 'shop') {
    const headers = { authorization: `token ${by.greenfield.key}`, 'x-cc-api-key': by.coinbase.key }
    if (method === 'GET' || method === 'HEAD') return [{ method, url, headers }]
    const json = { ...headers, 'content-type': 'application/json' }
    return [{ method, url, headers: json, payload: JSON.stringify(bodyOf(named)) }]
  }
  if (door.who === 'holder') {
    const { number, code } = named
    const known = { currency: 'USDT', network: 'ethereum', shop: named.shops.epay.id, number, code }
    return fieldsOf(named).map(fields => make({ ...fields, ...known }, false))
  }
  if (door.refusal === 'epusdt')
    return fieldsOf(named).map(fields => {
      const own = { ...fields, pid: named.shops.epusdt.id }
      return make({ ...own, signature: signJson(own, by.epusdt.key) }, false)
    })
  return fieldsOf(named).flatMap(fields => {
    const own = { ...fields, pid: named.shops.epay.id }
    return epayProofs.map(prove => make(prove(own, by.epay, now), true))
  })
}
