import { defineHandlers } from '../../http/context.ts'
import { readWorths } from '../prices/store.ts'
import { listCurrencies } from './currencies.ts'
import { currency } from './present.ts'
import { rearrangeCurrencies } from './rearrange-currencies.ts'

/** Chains and the tokens accepted on them. */
export const currencyHandlers = defineHandlers({
  'GET /api/v1/currency/list': async ({ deps, session: { merchantId } }) => {
    const [currencies, worths] = await Promise.all([listCurrencies(deps.pool, merchantId), readWorths(deps.pool)])
    return { list: currencies.map(each => currency(each, worths)) }
  },

  'POST /api/v1/currency/rearrange': async ({ deps, session: { merchantId }, body: { ids } }) => {
    const currencies = await rearrangeCurrencies(deps, { merchantId, ids })
    const worths = await readWorths(deps.pool)
    return { list: currencies.map(each => currency(each, worths)) }
  },
})
