import { createHash } from 'node:crypto'
import { type RouteDefinition, routes } from '@coffer/contract'
import { operatorRoutes } from '@coffer/contract/operator/index.ts'
import type { FastifyInstance } from 'fastify'
import type { TestRequest } from './every-request.ts'
import { signJson } from './shop-world.ts'

/** Values of a seeded generator, so that a run can be repeated. */
export function chooser(seed: number) {
  let state = seed >>> 0
  /** Mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const one = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  return { next, one, chance: (share: number) => next() < share, below: (most: number) => Math.floor(next() * most) }
}
export type Choose = ReturnType<typeof chooser>

const texts = [
  '',
  ' ',
  '0',
  '1',
  '-1',
  '1e400',
  '1,000',
  '0.01',
  '9'.repeat(40),
  `1.${'0'.repeat(300)}1`,
  '10',
  '\0',
  'x\0y',
  '\ud800',
  'x\udc00y',
  '\u202egnp',
  '\u0085',
  '\r\nset-cookie: a=b',
  '\u{1f4a9}',
  '\ufeff',
  'toString',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'valueOf',
  '../../etc/passwd',
  '..',
  '.',
  '//evil.example',
  "'; drop table merchants; --",
  '<script>alert(1)</script>',
  '%00',
  '%',
  '%ff',
  '=1+1',
  'javascript:alert(1)',
  'https://shop.example/back#/order/1',
  'http://[::1]/',
  'https://',
  'x'.repeat(5_000),
  'CNY',
  'USDT',
  'true',
  'null',
]
const oddValues: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  [],
  {},
  ['x'],
  [[]],
  { $gt: '' },
  { toString: 1 },
]
const oddNames = ['toString', '__proto__', 'constructor', 'x\0y', '\ud800', 'a[b]', 'a[]', '', 'x'.repeat(300), 'a=1&b']

/** Texts of a path or query as they stand in a URL, some of them not decodable. */
const inUrl = (choose: Choose): string =>
  choose.chance(0.3)
    ? choose.one(['%00', '%', '%zz', '%ff', '%ed%a0%80', '%c0%af', '%2e%2e%2f', '%2F', 'a%00b', '%E0%A4%A', '..;'])
    : encodeURIComponent(choose.one(texts).toWellFormed()).slice(0, 900)

const leaf = (choose: Choose): unknown => (choose.chance(0.6) ? choose.one(texts) : choose.one(oddValues))

/** Lists or objects in one another, whole, and shorter than any limit of a body. */
function deep(choose: Choose): string {
  const levels = choose.one([90, 2_000, 7_500])
  return choose.one([
    '['.repeat(levels) + ']'.repeat(levels),
    `${'{"a":'.repeat(levels / 4)}0${'}'.repeat(levels / 4)}`,
  ])
}

/** A copy with a few leaves replaced, added or removed. */
function mutated(value: unknown, choose: Choose, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > 6) return choose.chance(0.25) ? leaf(choose) : value
  if (Array.isArray(value)) return value.map(each => mutated(each, choose, depth + 1))
  const pairs = Object.entries(value)
    .filter(() => !choose.chance(0.05))
    .map(([name, each]) => [name, mutated(each, choose, depth + 1)] as const)
  return Object.fromEntries(choose.chance(0.15) ? [...pairs, [choose.one(oddNames), leaf(choose)]] : pairs)
}

/** What shops and pages send, by which a request can get further than its first check. */
const fields: Record<string, unknown> = {
  out_trade_no: 'S-1',
  order_id: 'S-1',
  money: '10',
  amount: '10',
  currency: 'CNY',
  name: 'VIP',
  type: 'alipay',
  param: 'x',
  notify_url: 'https://shop.example/notify',
  return_url: 'https://shop.example/back',
  redirect_url: 'https://shop.example/back',
  trade_no: '1'.repeat(32),
  trade_id: '1'.repeat(32),
  act: 'order',
  limit: '5',
  page: '1',
  offset: '1',
  timestamp: '1748858400',
  trade_type: 'usdt.trc20',
  token: 'usdt',
  network: 'tron',
  rate: '~1',
  timeout: '600',
  fiat: 'CNY',
  currencies: 'USDT',
  pricing_type: 'fixed_price',
  local_price: { amount: '1', currency: 'USD' },
  metadata: { orderId: 'S-1', itemDesc: 'x' },
  checkout: { redirectURL: 'https://shop.example/back', speedPolicy: 'HighSpeed' },
  status: 'Invalid',
  refundVariant: 'Fiat',
  url: 'https://shop.example/hook',
  authorizedEvents: { everything: true },
  enabled: true,
  secret: 'x',
  autoApproveClaims: true,
  permissions: 'btcpay.store.cancreateinvoice',
  applicationName: 'Shop',
  redirect: 'https://shop.example/',
  shop: '1',
  number: '1',
  code: 'x',
  embed: 'https://shop.example',
  lang: 'zh',
  to: 'a@example.com',
  blocks: 1,
  depth: 1,
  mchid: '1',
  decision: 'approve',
  endpoint: 'https://shop.example/hook',
  appid: '1',
  email: 'a@example.com',
  count: '5',
  starting_after: '1',
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'getOrder', arguments: { trade_no: 'out:x' } },
}

export interface Known {
  /** Valid requests of calls of the contract, by their keys. */
  requests: Record<string, TestRequest | undefined>
  /** Headers of every identity. */
  identities: Record<string, Record<string, string>>
  /** Ids and keys of connected shops. */
  shops: Record<'epay' | 'epusdt' | 'btcpay' | 'coinbase', { id: string; key: string }>
  /** Numbers of orders, and tokens of links. */
  numbers: readonly string[]
}

export interface HostileRequest {
  method: string
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

type Route = FastifyInstance['doors'][number]

/** An event stream of a caller who may have it would not end. */
const streams = (key: string) =>
  ((routes as Record<string, RouteDefinition>)[key] ?? (operatorRoutes as Record<string, RouteDefinition>)[key])
    ?.kind === 'events'

/** Makes a request of a route that is wrong in some ways and right in others. */
export function hostileRequest(choose: Choose, { method, url, door }: Route, known: Known): HostileRequest {
  const key = `${method} ${url}`
  const isStream = streams(key)
  const base = known.requests[key] ?? {}
  const path = url
    .replace(/:(\w+)/g, (_, name: string) =>
      !isStream && choose.chance(0.5) ? idOf(choose, name, known) : inUrl(choose),
    )
    .replace('*', () => inUrl(choose))
  const query = choose.chance(0.6) ? `?${queryOf(choose, mixed(choose, base.query))}` : ''
  const right = known.identities[door.who]
  const someone = right && choose.chance(0.6) ? right : choose.one(Object.values(known.identities))
  const headers: Record<string, string> = isStream ? {} : { ...someone }
  if (door.who === 'shop' && choose.chance(0.8))
    Object.assign(
      headers,
      door.refusal === 'coinbase'
        ? { 'x-cc-api-key': known.shops.coinbase.key }
        : { authorization: `token ${known.shops.btcpay.key}` },
    )
  if (choose.chance(0.1)) headers['idempotency-key'] = choose.one(['a', 'x'.repeat(300), 'b c', 'k1'])
  if (choose.chance(0.2)) Object.assign(headers, { 'x-download': '1', accept: 'text/html' })
  const request = { method, url: path + query, headers }
  if (method === 'GET' || method === 'HEAD')
    return door.who === 'signature'
      ? { ...request, url: `${path}?${queryOf(choose, signed(choose, door.refusal, mixed(choose), known))}` }
      : request
  const { type, payload } = bodyOf(choose, signed(choose, door.refusal, mixed(choose, base.body), known))
  return { ...request, headers: { ...headers, ...(type && { 'content-type': type }) }, payload }
}

function idOf(choose: Choose, name: string, { shops, numbers }: Known): string {
  if (name === 'shop') return shops.epusdt.id
  if (['store', 'webhook'].includes(name)) return shops.btcpay.id
  return encodeURIComponent(choose.one(numbers))
}

/** The fields of a valid request, or some that shops and pages send, changed in places. */
function mixed(choose: Choose, base?: object): Record<string, unknown> {
  const some = Object.fromEntries(Object.entries(fields).filter(() => choose.chance(0.35)))
  return mutated(base && choose.chance(0.9) ? base : some, choose) as Record<string, unknown>
}

/** The fields as a shop signs them, most times. */
function signed(
  choose: Choose,
  form: string,
  given: Record<string, unknown>,
  { shops }: Known,
): Record<string, unknown> {
  if (choose.chance(0.25)) return given
  const texts = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'number' ? value : asText(value)]),
  )
  if (form === 'epusdt')
    return { ...texts, pid: shops.epusdt.id, signature: signJson({ ...texts, pid: shops.epusdt.id }, shops.epusdt.key) }
  if (form !== 'epay' && form !== 'page') return given
  const own: Record<string, string> = {
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)])),
    pid: shops.epay.id,
  }
  const text = Object.keys(own)
    .filter(name => own[name] !== '')
    .sort()
    .map(name => `${name}=${own[name]}`)
    .join('&')
  return {
    ...own,
    sign: createHash('md5')
      .update(text + shops.epay.key)
      .digest('hex'),
    sign_type: 'MD5',
    ...(choose.chance(0.3) && { key: shops.epay.key }),
  }
}

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`).toWellFormed()

function queryOf(choose: Choose, given: object): string {
  const pairs = Object.entries(given).map(
    ([name, value]) =>
      `${encodeURIComponent(name.toWellFormed())}=${choose.chance(0.1) ? inUrl(choose) : encodeURIComponent(asText(value)).slice(0, 2_000)}`,
  )
  return [...pairs, ...(choose.chance(0.1) ? pairs.slice(0, 1) : [])].join('&')
}

function bodyOf(choose: Choose, given: object): { type: string; payload: string | Buffer } {
  const json = 'application/json'
  const makers: (() => { type: string; payload: string | Buffer })[] = [
    ...Array.from({ length: 6 }, () => () => ({ type: json, payload: JSON.stringify(given) })),
    () => ({ type: 'application/x-www-form-urlencoded', payload: queryOf(choose, given) }),
    () => ({ type: 'application/x-www-form-urlencoded', payload: queryOf(choose, given) }),
    () => multipart(choose, given),
    () => multipart(choose, given),
    () => ({
      type: choose.one([json, 'text/plain', 'application/x-www-form-urlencoded', 'image/png', '']),
      payload: junk(choose),
    }),
    () => ({
      type: json,
      payload: JSON.stringify(given).replace(/"[^"]*"/, () =>
        choose.one(['"\\ud800"', '"\\u0000"', '1e999', '{"__proto__":{"x":1}}', '"\\u', 'NaN']),
      ),
    }),
    () => ({
      type: json,
      payload: choose.one(['', '[', 'null', '[]', '7', '"x"', '['.repeat(8_000), `[${'[],'.repeat(4_000)}[]]`]),
    }),
    () => ({ type: json, payload: JSON.stringify(given).replace(/:(?:"[^"]*"|\d+)/, () => `:${deep(choose)}`) }),
    () => ({ type: json, payload: `{"metadata":${deep(choose)},${JSON.stringify(given).slice(1)}` }),
    () => ({
      type: json,
      payload: JSON.stringify({ ...given, name: 'x'.repeat(choose.one([4_001, 20_000, 300_000])) }),
    }),
    () => ({
      type: choose.one([
        'application/json; charset=utf-16',
        'a',
        'application/',
        'multipart/form-data',
        'x'.repeat(500),
      ]),
      payload: JSON.stringify(given),
    }),
  ]
  return choose.one(makers)()
}

const junk = (choose: Choose) => Buffer.from(Array.from({ length: choose.below(200) }, () => choose.below(256)))

/** A form in parts, whole or broken somewhere. */
function multipart(choose: Choose, given: object): { type: string; payload: string } {
  const part = (head: string, value: string) => `--x\r\nContent-Disposition: ${head}\r\n\r\n${value}\r\n`
  const parts = Object.entries(given).map(([name, value]) =>
    part(`form-data; name="${name.replaceAll('"', '')}"`, asText(value)),
  )
  if (choose.chance(0.4))
    parts.push(
      part('form-data; name="file"; filename="a.png"\r\nContent-Type: image/png', 'x'.repeat(choose.below(300))),
    )
  if (choose.chance(0.2))
    parts.push(part(choose.one(['form-data', '', 'x', "form-data; name*=utf-8''%zz", 'form-data; name="\0"']), 'x'))
  const whole = `${parts.join('')}--x--\r\n`
  const type = `multipart/form-data${choose.one(['; boundary=x', '; boundary=x', '; boundary=x', '; boundary=y', '', '; boundary=', `; boundary=${'x'.repeat(80)}`])}`
  return { type, payload: choose.chance(0.5) ? whole : whole.slice(0, choose.below(whole.length)) }
}
