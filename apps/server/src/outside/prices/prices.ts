import type { Logger } from 'pino'
import { type Queryable, q } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { inDollars } from './dollars.ts'
import { judge, oldestSeconds } from './judge.ts'
import { isFollowed } from './symbols.ts'

/** A price in US dollars (or of a fiat currency in dollars), as a decimal string, with where and when it is from. */
export interface Quote {
  price: string
  /** The names of the sources, joined by commas. */
  source: string
  /** Unix seconds of the oldest part. */
  time: number
}

/** What a source says one unit of `symbol` costs, in dollars or in USDT. */
export interface Ticker {
  symbol: string
  price: string
  in: 'USD' | 'USDT'
  /** Change within 24 hours in percent, or empty when the source does not tell. */
  change: string
  /** Unix seconds at which the source says it held. */
  at: number
}

/** One exchange or publisher of rates, spoken to in its own format. */
export interface PriceSource {
  name: string
  /** All it knows of our symbols as of now. Rejects when it does not answer or not in its format. */
  read: (now: number) => Promise<Ticker[]>
}

export interface Prices {
  /**
   * US dollars for one unit of the symbol (USDT, ETH, EUR, CNY, ...).
   * Throws Refusal('price_unavailable') when it is older than 5 minutes or the sources are more than 2 % apart.
   */
  quote: (symbol: string) => Promise<Quote>
  /** Asks every source and keeps what they say. One that fails leaves its last price, which grows old. */
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

/** Prices kept in the table `prices`, which all processes share. */
export function makePrices(c: Queryable, clock: () => number, sources: PriceSource[], log: Logger): Prices {
  return {
    async quote(symbol) {
      const now = clock()
      if (symbol === 'USD') return { price: '1', source: 'definition', time: now }
      const verdict = judge(
        await q(c, 'prices-of-symbol', 'select source, price, at from prices where symbol = $1', [symbol]),
        now,
      )
      if (!verdict) throw new Refusal('price_unavailable')
      return verdict
    },
    async refresh() {
      const now = clock()
      const answers = await Promise.allSettled(sources.map(source => source.read(now)))
      const rows = answers.flatMap((answer, index) => {
        const source = sources[index]!.name
        if (answer.status === 'fulfilled') return [...fit(answer.value)].map(ticker => ({ ...ticker, source }))
        log.warn({ err: answer.reason, source }, 'a source of prices failed')
        return []
      })
      await keep(c, inDollars(rows, now), now)
    },
    async stop() {},
  }
}

/** What of a source's list can be kept, each symbol once: one that talks nonsense must take nothing from the others. */
function fit(tickers: Ticker[]): Iterable<Ticker> {
  const kept = tickers.filter(({ symbol, at }) => isFollowed(symbol) && Number.isSafeInteger(at))
  const change = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? text : '')
  return new Map(kept.map(ticker => [ticker.symbol, { ...ticker, change: change(ticker.change) }])).values()
}

/** Takes the place of what was kept before, unless that is newer; what is from beyond `now` is from a clock that was wrong. */
async function keep(c: Queryable, rows: (Ticker & { source: string })[], now: number): Promise<void> {
  if (rows.length === 0) return
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map(row => row[name])
  await q(
    c,
    'prices-keep',
    `insert into prices (symbol, source, price, change_24h, at)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
     on conflict (symbol, source) do update
       set price = excluded.price, change_24h = excluded.change_24h, at = excluded.at
       where excluded.at >= prices.at or prices.at > $6`,
    [column('symbol'), column('source'), column('price'), column('change'), column('at'), now + oldestSeconds],
  )
}
