import { priceRoutes } from '@coffer/contract/prices/routes.ts'
import { defineDomain } from '../../domain.ts'
import { deleteOwnRates, fetchOwnRates } from './own-rates.ts'
import { marketHandlers } from './routes.ts'

export default defineDomain({
  routes: priceRoutes,
  handlers: marketHandlers,
  jobs: deps => [
    // Each server asks: one may not reach a source.
    {
      name: 'refresh prices',
      everyMs: 30_000,
      isEverywhere: true,
      work: () => deps.prices.refresh().then(() => false),
    },
    { name: 'read own rates', everyMs: 5_000, work: () => fetchOwnRates(deps) },
  ],
  deleteExpired: ({ pool }) => deleteOwnRates(pool),
})
