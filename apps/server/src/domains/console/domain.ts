import { defineDomain } from '../../domain.ts'
import { sendMessages } from '../notifications/sender.ts'
import { alertChannels } from './alert-channels.ts'
import { queueAlerts } from './alerts.ts'
import { watchLostMessages } from './lost-messages.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  jobs: (deps, signal) => [
    // All messages, with the texts of alerts, which read what every domain has.
    sendMessages(deps, signal, [alertChannels]),
    { name: 'alert operators', everyMs: 5_000, work: () => queueAlerts(deps) },
    { name: 'watch security messages', everyMs: 15_000, work: () => watchLostMessages(deps) },
  ],
})
