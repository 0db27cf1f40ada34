import { sweepRoutes } from '@coffer/contract/sweeps/routes.ts'
import { defineDomain } from '../../domain.ts'
import { runSweepJob } from './jobs.ts'
import { sweepOwner } from './owner.ts'
import { sweepHandlers } from './routes.ts'

export default defineDomain({
  routes: sweepRoutes,
  handlers: sweepHandlers,
  jobs: (deps, signal, owners) => [runSweepJob(deps, owners, signal)],
  owners: deps => ({ sweep: sweepOwner(deps) }),
})
