import { defineHandlers } from '../../http/context.ts'
import { readQuotes } from '../prices/store.ts'
import { listCurrencies } from './currencies.ts'
import { currency } from './present.ts'
import { rearrangeCurrencies } from './rearrange-currencies.ts'

/** Chains and the tokens accepted on them. */
export const currencyHandlers = defineHandlers({
  'GET /api/v1/currency/list': async ({ deps, session: { merchantId } }) => {
    const [currencies, quotes] = await Promise.all([listCurrencies(deps.pool, merchantId), readQuotes(deps.pool)])
    return { list: currencies.map(each => currency(each, quotes)) }
  },

  'POST /api/v1/currency/rearrange': async ({ deps, session: { merchantId }, body: { ids } }) => {
    const currencies = await rearrangeCurrencies(deps, { merchantId, ids })
    const quotes = await readQuotes(deps.pool)
    return { list: currencies.map(each => currency(each, quotes)) }
  },
})
