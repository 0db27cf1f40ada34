import { defineDomain } from '../../domain.ts'
import { alertOperators, deleteOldAlerts } from './alerts.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: deps => [{ name: 'alert operators', everyMs: 5_000, work: () => alertOperators(deps) }],
  deleteExpired: deleteOldAlerts,
})
