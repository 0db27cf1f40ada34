import type { Logger } from 'pino'
import { cacheForSecond } from '../../kit/cache-for-second.ts'
import { all, type Queryable, run } from '../../kit/db.ts'
import type { PriceSymbol } from '../../kit/price-symbol.ts'
import { Refusal } from '../../kit/refusal.ts'
import { maxPriceAgeSeconds, medianPrice, type PriceQuote } from './median.ts'
import { formatFixedPoint, multiplyFixedPoint, parseFixedPoint } from './rates.ts'
import type { PriceSource, Ticker } from './read.ts'
import { isPricedSymbol } from './symbols.ts'

export interface Prices {
  /**
   * The price of one unit of the symbol (USDT, ETH, EUR, CNY, ...) in US dollars.
   * @throws Refusal('price_unavailable') when prices are older than 5 minutes or the sources more than 2 % apart
   */
  quote: (symbol: PriceSymbol) => Promise<PriceQuote>
  /** Names of the sources, which have been read since this time. */
  sources: readonly string[]
  since: number
  /** Reads every source and stores its prices. A failed source keeps its last price, which ages. */
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

const readAll = all('prices-of-sources', 'select symbol, source, price, at from prices')
/**
 * Every new order reads prices, which change every 30 s. Each symbol's price is computed at its first use within a
 * second.
 */
const stored = cacheForSecond(async (c: Queryable) => {
  const rows = Map.groupBy(await readAll(c), row => row.symbol)
  const quotes = new Map<string, PriceQuote | null>()
  return (symbol: string, now: number): PriceQuote | null => {
    const known = quotes.get(symbol)
    if (known !== undefined) return known
    const quote = medianPrice(rows.get(symbol) ?? [], now)
    quotes.set(symbol, quote)
    return quote
  }
})

/** Prices stored in the table `prices`, which all processes share. Quotes read it once a second; `jobs` writes it. */
export function makePrices(
  c: Queryable,
  clock: () => number,
  sources: PriceSource[],
  log: Logger,
  jobs: Queryable = c,
): Prices {
  return {
    sources: sources.map(({ name }) => name),
    since: clock(),
    async quote(symbol) {
      const now = clock()
      if (symbol === 'USD') return { price: '1', source: 'definition', time: now }
      const quote = (await stored.get(c, now))(symbol, now)
      if (!quote) throw new Refusal('price_unavailable')
      return quote
    },
    async refresh() {
      const now = clock()
      const answers = await Promise.allSettled(sources.map(source => source.read(now)))
      const rows = answers.flatMap((answer, index) => {
        const source = sources[index]!.name
        if (answer.status === 'fulfilled') return [...storable(answer.value)].map(ticker => ({ ...ticker, source }))
        log.warn({ err: answer.reason, source }, 'a price source failed')
        return []
      })
      await store(jobs, inDollars(rows, now), now)
      stored.forget(c)
      await record(jobs, now)
    },
    async stop() {},
  }
}

/**
 * Converts tickers quoted in USDT to dollars, at the price of USDT that the other sources agree on. Without such a
 * price they are dropped: USDT is not assumed to be worth a dollar. Invalid prices are dropped too.
 */
function inDollars<T extends Ticker & { source: string }>(rows: T[], now: number): T[] {
  const sane = rows.filter(row => parseFixedPoint(row.price) !== null)
  const direct = sane.filter(row => row.in === 'USD')
  const usdt = medianPrice(
    direct.filter(row => row.symbol === 'USDT'),
    now,
  )
  if (!usdt) return direct
  const dollars = parseFixedPoint(usdt.price)!
  const converted = sane
    .filter(row => row.in === 'USDT')
    .map(row => ({
      ...row,
      in: 'USD' as const,
      price: formatFixedPoint(multiplyFixedPoint(parseFixedPoint(row.price)!, dollars)),
    }))
  return [...direct, ...converted]
}

/** Seconds between two stored prices of a symbol. */
const storedEvery = 300
const keep = run(
  'price-history-keep',
  `insert into price_history (symbol, at, price, source)
   select r.symbol, r.at, r.price, r.source
   from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as r (symbol, at, price, source)
   where not exists (select from price_history h where h.symbol = r.symbol and h.at > r.at - ${storedEvery} and h.at <= r.at)
   on conflict do nothing`,
)

/** Keeps the reliable prices of this time, with which entries of the books are valued. */
async function record(c: Queryable, now: number): Promise<void> {
  const quotes = [...Map.groupBy(await readAll(c), row => row.symbol)].flatMap(([symbol, rows]) => {
    const quote = medianPrice(rows, now)
    return quote ? [{ symbol, ...quote }] : []
  })
  const column = <K extends keyof (typeof quotes)[number]>(name: K) => quotes.map(quote => quote[name])
  await keep(c, column('symbol'), column('time'), column('price'), column('source'))
}

/** The valid tickers of a source, one per symbol, so that a faulty source cannot fail the statement for all. */
function storable(tickers: Ticker[]): Iterable<Ticker> {
  const followed = tickers.filter(({ symbol, at }) => isPricedSymbol(symbol) && Number.isSafeInteger(at))
  const change = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? text : '')
  return new Map(followed.map(ticker => [ticker.symbol, { ...ticker, change: change(ticker.change) }])).values()
}

const insert = run(
  'prices-keep',
  `insert into prices (symbol, source, price, change_24h, at)
   select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
   on conflict (symbol, source) do update
     set price = excluded.price, change_24h = excluded.change_24h, at = excluded.at
     where excluded.at >= prices.at or prices.at > $6`,
)

/**
 * Upserts prices unless the stored one is newer. Stored times in the future come from a wrong clock and are replaced.
 */
async function store(c: Queryable, rows: (Ticker & { source: string })[], now: number): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map(row => row[name])
  const values = [column('symbol'), column('source'), column('price'), column('change'), column('at')] as const
  await insert(c, ...values, now + maxPriceAgeSeconds)
}
