import { defineDomain } from '../../domain.ts'
import { deleteUnusedDevices } from './devices.ts'
import { deleteExpiredSessions } from './sessions.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  deleteExpired: async ({ pool, clock }) =>
    (await deleteExpiredSessions(pool, clock())) + (await deleteUnusedDevices(pool, clock())),
})
