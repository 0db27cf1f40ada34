import type { RouteData } from '@coffer/contract'
import { defineHandlers } from '../../http/context.ts'
import { tokenLogo } from '../../http/logos.ts'
import { type PriceSymbol, toPriceSymbol } from '../../kit/price-symbol.ts'
import { formatFixedPoint } from '../../outside/prices/rates.ts'
import { tokens } from '../../outside/prices/symbols.ts'
import { readFollows, setFollows } from './follows.ts'
import { type Quote, readQuotes } from './store.ts'

type Item = RouteData<'GET /api/v1/market/search'>['list'][number]

/** Token prices: those that the merchant follows, and search. */
export const marketHandlers = defineHandlers({
  'GET /api/v1/market/follow/list': async ({ deps, session: { merchantId } }) => {
    const [follows, quotes] = await Promise.all([readFollows(deps.pool, merchantId), readQuotes(deps.pool)])
    return { list: follows.map(token => item(token, quotes, true)) }
  },

  'PUT /api/v1/market/follow/token': async ({ deps, session: { merchantId }, body }) => {
    const follows = await setFollows(deps, merchantId, body.token)
    const quotes = await readQuotes(deps.pool)
    return { list: follows.map(token => item(token, quotes, true)) }
  },

  'GET /api/v1/market/search': async ({ deps, session: { merchantId }, query: { name = '' } }) => {
    const [follows, quotes] = await Promise.all([readFollows(deps.pool, merchantId), readQuotes(deps.pool)])
    const part = name.trim().toUpperCase()
    const found = tokens.filter(token => token.includes(part))
    return { list: found.map(token => item(token, quotes, follows.includes(token))) }
  },
})

/** The price is empty while it is unknown. */
function item(token: string, quotes: ReadonlyMap<PriceSymbol, Quote>, check: boolean): Item {
  const quote = quotes.get(toPriceSymbol(token))
  const balance = quote ? formatFixedPoint(quote.usdt) : ''
  return { id: token, token, logo: tokenLogo(token), balance, p: quote?.change ?? '', check, checked: check }
}
