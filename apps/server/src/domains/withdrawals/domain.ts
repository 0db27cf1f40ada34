import { approvalRoutes } from '@coffer/contract/approvals.ts'
import { withdrawalKeyRoutes } from '@coffer/contract/payouts.ts'
import { withdrawalRoutes } from '@coffer/contract/withdrawals.ts'
import { defineDomain } from '../../domain.ts'
import { approvalHandlers } from './approval-routes.ts'
import { withdrawalKeyHandlers } from './key-routes.ts'
import { withdrawalOwner } from './owner.ts'
import { withdrawalHandlers } from './routes.ts'

export default defineDomain({
  routes: { ...approvalRoutes, ...withdrawalKeyRoutes, ...withdrawalRoutes },
  handlers: { ...approvalHandlers, ...withdrawalKeyHandlers, ...withdrawalHandlers },
  owners: deps => ({ withdrawal: withdrawalOwner(deps) }),
})
