import { defineDomain } from '../../domain.ts'
import { deleteOldAlerts, mailOperators, sendDeviceAndHookAlerts } from './alerts.ts'
import { watchLostMessages } from './lost-messages.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: deps => [
    { name: 'alert operators', everyMs: 5_000, work: () => mailOperators(deps) },
    { name: 'watch security messages', everyMs: 15_000, work: () => watchLostMessages(deps) },
    { name: 'alert systems', everyMs: 5_000, work: () => sendDeviceAndHookAlerts(deps) },
  ],
  deleteExpired: deleteOldAlerts,
})
