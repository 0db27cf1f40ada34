/** A price in US dollars (or of a fiat currency in dollars), as a decimal string, with where and when it is from. */
export interface Quote {
  price: string
  source: string
  /** Unix seconds of the oldest part. */
  time: number
}

export interface Prices {
  /**
   * US dollars for one unit of the symbol (USDT, ETH, EUR, CNY, ...).
   * Throws Refusal('price_unavailable') when it is older than 5 minutes or the sources are more than 2 % apart.
   */
  quote: (symbol: string) => Promise<Quote>
  stop: () => Promise<void>
}
