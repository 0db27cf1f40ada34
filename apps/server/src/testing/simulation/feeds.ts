import type pg from 'pg'

/**
 * State of a symbol's price sources: in agreement on either side of the price, too far apart, stale, or reduced to one.
 */
export type Mood = 'agree' | 'apart' | 'stale' | 'alone'
export const moods: readonly Mood[] = ['agree', 'apart', 'stale', 'alone']

/** Initial price of one unit in US dollars. */
const start: Record<string, number> = { USDT: 1, USDC: 1, ETH: 2500, BNB: 600, TRX: 0.25, EUR: 1.1, CNY: 0.14 }

/** Simulated price sources, two per symbol. */
export class Feeds {
  readonly prices = new Map(Object.entries(start))
  readonly #moods = new Map<string, Mood>()

  get symbols(): string[] {
    return [...this.prices.keys()]
  }

  set(symbol: string, price: number, mood: Mood): void {
    this.prices.set(symbol, Number(price.toFixed(6)))
    this.#moods.set(symbol, mood)
  }

  /** Reports whether the symbol has a usable price. */
  isGood(symbol: string): boolean {
    return (this.#moods.get(symbol) ?? 'agree') === 'agree'
  }

  /** Returns the current price of one unit in USDT. */
  inUsdt(symbol: string): number {
    return this.prices.get(symbol)! / this.prices.get('USDT')!
  }

  /** Stores the current price of each source. */
  async publish(owner: pg.Pool, now: number): Promise<void> {
    const rows = [...this.prices].flatMap(([symbol, price]) => {
      const mood = this.#moods.get(symbol) ?? 'agree'
      const at = mood === 'stale' ? now - 301 : now
      const off = mood === 'apart' ? 0.03 : mood === 'agree' ? 0.004 : 0
      // Rounded once, so that the price is exactly in the middle.
      const aside = Number((price * off).toFixed(6))
      const one = { symbol, source: 'a', price: (price - aside).toFixed(6), at }
      return mood === 'alone' ? [one] : [one, { ...one, source: 'b', price: (price + aside).toFixed(6) }]
    })
    await owner.query(
      `with gone as (delete from prices where (symbol, source) not in
         (select symbol, source from jsonb_to_recordset($1::jsonb) as r (symbol text, source text)))
       insert into prices (symbol, source, price, at)
       select * from jsonb_to_recordset($1::jsonb) as r (symbol text, source text, price text, at bigint)
       on conflict (symbol, source) do update set price = excluded.price, at = excluded.at`,
      [JSON.stringify(rows)],
    )
  }
}
