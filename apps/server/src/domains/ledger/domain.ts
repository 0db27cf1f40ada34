import { defineDomain } from '../../domain.ts'
import { reconcile } from './reconcile.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [reconcile(deps, signal)],
})
