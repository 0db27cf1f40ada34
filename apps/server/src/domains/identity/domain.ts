import { factorRoutes } from '@coffer/contract/identity/factors.ts'
import { identityRoutes, publicRoutes } from '@coffer/contract/identity/routes.ts'
import { messageChannelRoutes } from '@coffer/contract/notifications/channel-routes.ts'
import { pushRoutes } from '@coffer/contract/notifications/routes.ts'
import { defineDomain } from '../../domain.ts'
import { removeDueAuthenticators } from './factors/remove-authenticator.ts'
import { warnOfPasskeysElsewhere } from './passkeys/describe-elsewhere.ts'
import { endUnseenPushDevices } from './push/push-devices.ts'
import { identityHandlers } from './routes.ts'
import { deleteExpiredCredentials } from './store.ts'

export default defineDomain({
  routes: { ...factorRoutes, ...identityRoutes, ...publicRoutes, ...pushRoutes, ...messageChannelRoutes },
  handlers: identityHandlers,
  jobs: deps => [
    { name: 'remove authenticators', everyMs: 60_000, work: () => removeDueAuthenticators(deps).then(() => false) },
  ],
  prepare: warnOfPasskeysElsewhere,
  deleteExpired: async deps => (await deleteExpiredCredentials(deps)) + (await endUnseenPushDevices(deps)),
})
