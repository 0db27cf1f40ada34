import { withdrawalKeyRoutes } from '@coffer/contract/withdrawals/key-routes.ts'
import { withdrawalRoutes } from '@coffer/contract/withdrawals/routes.ts'
import { defineDomain } from '../../domain.ts'
import { withdrawalKeyHandlers } from './key-routes.ts'
import { withdrawalOwner } from './owner.ts'
import { withdrawalHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...withdrawalKeyRoutes, ...withdrawalRoutes },
  handlers: { ...withdrawalKeyHandlers, ...withdrawalHandlers },
  owners: deps => ({ withdrawal: withdrawalOwner(deps) }),
})
