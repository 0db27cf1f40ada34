import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { krakenPairs } from '../outside/prices/kraken.ts'
import type { SourceName } from '../outside/prices/sources.ts'
import { fiats, tokens } from '../outside/prices/symbols.ts'

/** Typical dollar prices of one unit. */
const base: Record<(typeof tokens)[number] | (typeof fiats)[number], number> = {
  BTC: 68_000,
  ETH: 3_500,
  USDT: 0.9998,
  USDC: 1.0001,
  BNB: 600,
  TRX: 0.12,
  SOL: 160,
  XRP: 0.55,
  DOGE: 0.14,
  POL: 0.5,
  LTC: 80,
  TON: 6.5,
  ADA: 0.45,
  AVAX: 35,
  LINK: 15,
  DAI: 1,
  USD: 1,
  EUR: 1.08,
  GBP: 1.27,
  CNY: 0.138,
  JPY: 0.0066,
  HKD: 0.128,
  SGD: 0.74,
  AUD: 0.66,
  CAD: 0.73,
  CHF: 1.12,
  KRW: 0.00073,
  INR: 0.012,
  THB: 0.028,
  MYR: 0.22,
  IDR: 0.000062,
  PHP: 0.0175,
  BRL: 0.19,
  MXN: 0.055,
  TRY: 0.031,
  ZAR: 0.054,
}
type Symbol = keyof typeof base

const stable = new Set<Symbol>(['USDT', 'USDC', 'DAI', ...fiats])
const hour = 3_600

/**
 * The price at a time (Unix seconds): the base plus slow waves of its own phase, about 2 % for coins and 0.03 % for
 * currencies.
 */
export function computeSandboxPrice(symbol: Symbol, time: number): number {
  const phase = [...symbol].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1000
  const wave = (period: number) => Math.sin((2 * Math.PI * (time + phase * hour)) / period)
  const swing = symbol === 'USD' ? 0 : stable.has(symbol) ? 0.0003 : 0.02
  return base[symbol] * (1 + swing * (0.6 * wave(61 * hour) + 0.3 * wave(7 * hour) + 0.1 * wave(hour / 2)))
}

const number = (value: number) => value.toFixed(value < 1 ? 10 : 6)

/** The answer of each exchange at `path`, in its own format, with slightly different prices. Undefined means 404. */
export function buildSandboxPriceResponse(path: string, time: number): string | undefined {
  const url = new URL(path, 'http://feed')
  const market = (symbol: string, offset: number) => computeSandboxPrice(symbol as Symbol, time) * (1 + offset)
  const yesterday = (symbol: string, offset: number) =>
    computeSandboxPrice(symbol as Symbol, time - 24 * hour) * (1 + offset)
  switch (url.pathname) {
    case '/binance/api/v3/ticker/24hr': {
      const markets: string[] = JSON.parse(url.searchParams.get('symbols') ?? '[]')
      return JSON.stringify(
        markets.map(name => {
          const symbol = name.replace(/USDT$/, '')
          const now = market(symbol, 0.0002) / market('USDT', 0)
          const then = yesterday(symbol, 0.0002) / market('USDT', 0)
          return {
            symbol: name,
            lastPrice: now.toFixed(8),
            openPrice: then.toFixed(8),
            priceChangePercent: ((now / then - 1) * 100).toFixed(3),
            closeTime: time * 1000,
          }
        }),
      )
    }
    case '/okx/api/v5/market/index-tickers':
      return JSON.stringify({
        code: '0',
        msg: '',
        data: tokens.map(symbol => ({
          instId: `${symbol}-USD`,
          idxPx: number(market(symbol, -0.0003)),
          open24h: number(yesterday(symbol, -0.0003)),
          ts: String(time * 1000),
        })),
      })
    case '/coinbase/v2/exchange-rates': {
      const rates = [...tokens, ...fiats].map(symbol => [symbol, (1 / market(symbol, 0.0001)).toFixed(12)])
      return JSON.stringify({ data: { currency: 'USD', rates: Object.fromEntries(rates) } })
    }
    case '/kraken/0/public/Ticker': {
      const result = Object.entries(krakenPairs).map(([pair, { symbol, inverse }]) => {
        const price = market(symbol, 0)
        return [pair, { c: [number(inverse ? 1 / price : price), '1.0'] }]
      })
      return JSON.stringify({ error: [], result: Object.fromEntries(result) })
    }
    case '/ecb/stats/eurofxref/eurofxref-daily.xml': {
      const day = new Date(time * 1000).toISOString().slice(0, 10)
      const cubes = fiats
        .filter(symbol => symbol !== 'EUR')
        .map(symbol => `<Cube currency='${symbol}' rate='${number(market('EUR', 0) / market(symbol, 0))}'/>`)
      return `<?xml version="1.0" encoding="UTF-8"?><Cube><Cube time='${day}'>${cubes.join('')}</Cube></Cube>`
    }
  }
  return undefined
}

/** Starts a local price feed in the formats of the real exchanges, read by the real adapters. */
export async function startSandboxPriceFeed(
  clock: () => number = () => Math.floor(Date.now() / 1000),
): Promise<{ at: Record<SourceName, string>; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const body = buildSandboxPriceResponse(request.url ?? '/', clock())
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const names: SourceName[] = ['binance', 'okx', 'coinbase', 'kraken', 'ecb']
  return {
    at: Object.fromEntries(names.map(name => [name, `${root}/${name}`])) as Record<SourceName, string>,
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
