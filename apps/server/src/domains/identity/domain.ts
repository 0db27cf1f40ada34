import { factorRoutes } from '@coffer/contract/identity/factors.ts'
import { identityRoutes, publicRoutes } from '@coffer/contract/identity/routes.ts'
import { pushRoutes } from '@coffer/contract/notifications/routes.ts'
import { defineDomain } from '../../domain.ts'
import { removeAuthenticators } from './factors/remove-authenticator.ts'
import { endUnseenDevices } from './push/push-devices.ts'
import { identityHandlers } from './routes.ts'
import { deleteExpired } from './store.ts'

export default defineDomain({
  routes: { ...factorRoutes, ...identityRoutes, ...publicRoutes, ...pushRoutes },
  handlers: identityHandlers,
  jobs: deps => [
    { name: 'remove authenticators', everyMs: 60_000, work: () => removeAuthenticators(deps).then(() => false) },
  ],
  deleteExpired: async deps => (await deleteExpired(deps)) + (await endUnseenDevices(deps)),
})
