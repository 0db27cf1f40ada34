import { priceRoutes } from '@coffer/contract/prices.ts'
import { defineDomain } from '../../domain.ts'
import { marketHandlers } from './routes.ts'

export default defineDomain({
  routes: priceRoutes,
  handlers: marketHandlers,
  jobs: ({ prices }) => [{ name: 'refresh prices', everyMs: 30_000, work: () => prices.refresh().then(() => false) }],
})
