import { statisticsKeyRoutes, statisticsRoutes } from '@coffer/contract/statistics/routes.ts'
import { defineDomain } from '../../domain.ts'
import { foldStatistics } from './fold-statistics.ts'
import { statisticsHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...statisticsRoutes, ...statisticsKeyRoutes },
  handlers: statisticsHandlers,
  jobs: deps => [{ name: 'fold statistics', everyMs: 1_000, work: () => foldStatistics(deps) }],
})
