import { notificationRoutes } from '@coffer/contract/notifications/routes.ts'
import { defineDomain } from '../../domain.ts'
import { endAnnouncements } from './announce.ts'
import { sendPushes } from './push.ts'
import { ensurePushKeys } from './push-keys.ts'
import { messageHandlers } from './routes.ts'

export default defineDomain({
  routes: notificationRoutes,
  handlers: messageHandlers,
  jobs: (deps, signal) => [
    sendPushes(deps, signal),
    { name: 'end announcements', everyMs: 10_000, work: () => endAnnouncements(deps) },
  ],
  prepare: ensurePushKeys,
})
