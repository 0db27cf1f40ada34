import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { toPriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { buildSandboxPriceResponse, startSandboxPriceFeed } from '../../sandbox/prices.ts'
import { withDeps } from '../../testing/deps.ts'
import { makePrices } from './prices.ts'
import type { PriceSource, Ticker } from './read.ts'
import { priceSources, type SourceName } from './sources.ts'
import { fiats, tokens } from './symbols.ts'

const deps = await withDeps({ after })
const unavailable = (error: unknown) => error instanceof Refusal && error.reason === 'price_unavailable'
const clean = () => deps.owner.query('delete from prices')

test('quotes every token and currency from at least two sources', async t => {
  await clean()
  const feed = await startSandboxPriceFeed(deps.clock)
  t.after(feed.stop)
  const prices = makePrices(deps.pool, deps.clock, priceSources(feed.at), deps.log)
  await prices.refresh()
  for (const symbol of [...tokens, ...fiats]) {
    const quote = await prices.quote(toPriceSymbol(symbol))
    assert.ok(Number(quote.price) > 0, symbol)
    if (symbol !== 'USD') assert.ok(quote.source.split(',').length >= 2, symbol)
  }
  assert.equal((await prices.quote(toPriceSymbol('BTC'))).source, 'binance,coinbase,kraken,okx')
  assert.equal((await prices.quote(toPriceSymbol('EUR'))).source, 'coinbase,ecb,kraken')
  await assert.rejects(prices.quote(toPriceSymbol('XAU')), unavailable)
})

test('quotes the last price for five minutes, then refuses', async t => {
  await clean()
  const feed = await startSandboxPriceFeed(deps.clock)
  const prices = makePrices(deps.pool, deps.clock, priceSources(feed.at), deps.log)
  await prices.refresh()
  await feed.stop()
  t.after(() => {})
  const { price } = await prices.quote(toPriceSymbol('ETH'))
  deps.pass(299)
  await prices.refresh()
  assert.equal((await prices.quote(toPriceSymbol('ETH'))).price, price)
  deps.pass(2)
  await assert.rejects(prices.quote(toPriceSymbol('ETH')), unavailable)
})

const fixedSource = (name: string, price: string, symbol = 'ETH', unit: 'USD' | 'USDT' = 'USD'): PriceSource => ({
  name,
  read: async now => [{ symbol, price, in: unit, change: '', at: now }],
})
const quoteOf = async (sources: PriceSource[], symbol = 'ETH') => {
  await clean()
  const prices = makePrices(deps.pool, deps.clock, sources, deps.log)
  await prices.refresh()
  return prices.quote(toPriceSymbol(symbol))
}

test('refuses a single source, or sources more than two percent apart', async () => {
  assert.equal((await quoteOf([fixedSource('a', '2500'), fixedSource('b', '2520')])).price, '2510')
  await assert.rejects(quoteOf([fixedSource('a', '2500'), fixedSource('b', '2551')]), unavailable)
  await assert.rejects(quoteOf([fixedSource('a', '2500')]), unavailable)
})

test('converts USDT prices to dollars, and drops them while USDT has no price', async () => {
  const usdt = [fixedSource('a', '0.97', 'USDT'), fixedSource('b', '0.97', 'USDT')]
  const eth = [fixedSource('c', '2425'), { ...fixedSource('d', '2500', 'ETH', 'USDT') }]
  assert.equal((await quoteOf([...usdt, ...eth])).price, '2425')
  await assert.rejects(quoteOf([usdt[0]!, ...eth]), unavailable)
})

test('keeps the other sources when one fails or answers nonsense', async t => {
  await clean()
  const broken: Record<string, [number, string]> = {
    binance: [500, 'no'],
    okx: [200, '{"code":"50011","data":[]}'],
    ecb: [200, '<html>'],
  }
  const server = createServer((request, response) => {
    const name = request.url?.split('/')[1] ?? ''
    const [status, body] = broken[name] ?? [200, buildSandboxPriceResponse(request.url ?? '', deps.clock()) ?? '']
    response.writeHead(status).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise(resolve => server.close(resolve)))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = Object.fromEntries(['binance', 'okx', 'coinbase', 'kraken', 'ecb'].map(name => [name, `${root}/${name}`]))
  const prices = makePrices(deps.pool, deps.clock, priceSources(at as Record<SourceName, string>), deps.log)
  await prices.refresh()
  assert.equal((await prices.quote(toPriceSymbol('ETH'))).source, 'coinbase,kraken')
  await assert.rejects(prices.quote(toPriceSymbol('CNY')), unavailable)
})

test('never replaces a price with an older one', async () => {
  await clean()
  const at = (seconds: number, price: string): PriceSource => ({
    name: 'a',
    read: async () => [{ symbol: 'ETH', price, in: 'USD', change: '', at: seconds }],
  })
  const now = deps.clock()
  await makePrices(deps.pool, deps.clock, [at(now, '2'), { ...at(now, '2'), name: 'b' }], deps.log).refresh()
  const prices = makePrices(deps.pool, deps.clock, [at(now - 60, '1')], deps.log)
  await prices.refresh()
  assert.equal((await prices.quote(toPriceSymbol('ETH'))).price, '2')
})

test('replaces prices stored while the clock was ahead', async () => {
  await clean()
  const sources = [fixedSource('a', '2500'), fixedSource('b', '2500')]
  await makePrices(deps.pool, () => deps.clock() + 86_400, sources, deps.log).refresh()
  const prices = makePrices(deps.pool, deps.clock, sources, deps.log)
  await prices.refresh()
  assert.equal((await prices.quote(toPriceSymbol('ETH'))).time, deps.clock())
})

test('keeps the other sources when one has tickers that cannot be stored', async () => {
  const nonsense: [what: string, ticker: Partial<Ticker>][] = [
    ['an invalid time', { at: Number.NaN }],
    ['an excessive time', { at: 1e300 }],
    ['an unknown symbol', { symbol: 'E\u0000TH' }],
    ['an invalid change', { change: '\u0000' }],
    ['a duplicate symbol', {}],
  ]
  for (const [what, ticker] of nonsense) {
    const good: Ticker = { symbol: 'ETH', price: '2500', in: 'USD', change: '', at: deps.clock() }
    const faulty: PriceSource = { name: 'odd', read: async () => [good, { ...good, ...ticker }] }
    assert.equal((await quoteOf([faulty, fixedSource('a', '2500'), fixedSource('b', '2500')])).price, '2500', what)
  }
})
