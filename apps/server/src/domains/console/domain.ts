import { defineDomain } from '../../domain.ts'
import { alertDevicesAndHooks, deleteOldAlerts, mailOperators } from './alerts.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: deps => [
    { name: 'alert operators', everyMs: 5_000, work: () => mailOperators(deps) },
    { name: 'alert systems', everyMs: 5_000, work: () => alertDevicesAndHooks(deps) },
  ],
  deleteExpired: deleteOldAlerts,
})
