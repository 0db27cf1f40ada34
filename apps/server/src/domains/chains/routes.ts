import { defineHandlers } from '../../http/context.ts'
import { listCurrencies, setCurrencyOrder } from './currencies.ts'

export const currencyHandlers = defineHandlers({
  'GET /api/v1/currency/list': async ({ deps, session: { merchantId } }) => ({
    list: await listCurrencies(deps.pool, merchantId),
  }),

  'POST /api/v1/currency/rearrange': async ({ deps, session: { merchantId }, body: { ids } }) => {
    await setCurrencyOrder(deps.pool, merchantId, ids)
    return { list: await listCurrencies(deps.pool, merchantId) }
  },
})
