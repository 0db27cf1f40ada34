import { request } from 'undici'

/** A source's price of one unit of `symbol`, in dollars or USDT. */
export interface Ticker {
  symbol: string
  price: string
  in: 'USD' | 'USDT'
  /** Change within 24 hours in percent; empty when unknown. */
  change: string
  /** Time of the price, in Unix seconds. */
  at: number
}

/** An exchange or publisher of rates, read through its API. */
export interface PriceSource {
  name: string
  /** Reads the tickers of all followed symbols. Rejects when the source is unreachable or its answer is malformed. */
  read: (now: number) => Promise<Ticker[]>
}

/** Limits of one answer. */
const timeoutMs = 10_000
const bytesMax = 4_000_000

/** Fetches a URL as text. Rejects on any status but 200, after 10 s, or beyond 4 MB. */
export async function fetchText(url: string): Promise<string> {
  const { statusCode, body } = await request(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json, application/xml', 'user-agent': 'coffer' },
  })
  if (statusCode !== 200) {
    await body.dump()
    throw new Error(`${new URL(url).host} answered ${statusCode}`)
  }
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of body) {
    text += decoder.decode(part, { stream: true })
    if (text.length > bytesMax) throw new Error(`${new URL(url).host} sent an answer that is too long`)
  }
  return text
}

/** Fetches a URL as JSON, with the limits of `fetchText`. */
export const readJson = async (url: string): Promise<unknown> => JSON.parse(await fetchText(url))
