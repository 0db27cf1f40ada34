import { defineDomain } from '../../domain.ts'
import { watchAuditLog } from './check-audit.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [watchAuditLog(deps, signal)],
})
