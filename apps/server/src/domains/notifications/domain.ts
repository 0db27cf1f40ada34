import { notificationRoutes } from '@coffer/contract/notifications/routes.ts'
import { messageSettingRoutes } from '@coffer/contract/notifications/setting-routes.ts'
import { defineDomain } from '../../domain.ts'
import { endAnnouncements } from './announce.ts'
import { deleteOldMessages } from './message-store.ts'
import { updateMessageMetrics } from './metrics.ts'
import { ensurePushKeys } from './push-keys.ts'
import { readTelegram } from './read-telegram.ts'
import { messageHandlers } from './routes.ts'
import { messageChannels } from './sender.ts'

/** Seconds for which it is known what was sent. */
const storedSeconds = 30 * 86_400

export default defineDomain({
  routes: { ...notificationRoutes, ...messageSettingRoutes },
  handlers: messageHandlers,
  jobs: (deps, signal) => [
    { name: 'read Telegram', everyMs: 2_000, work: () => readTelegram(deps, signal) },
    { name: 'end announcements', everyMs: 10_000, work: () => endAnnouncements(deps) },
  ],
  deleteExpired: ({ pool, clock }) => deleteOldMessages(pool, clock() - storedSeconds),
  updateMetrics: ({ pool, clock }) => updateMessageMetrics(pool, messageChannels, clock()),
  prepare: ensurePushKeys,
})
