import { fundFlowRoutes } from '@coffer/contract/fund-flow/routes.ts'
import { defineDomain } from '../../domain.ts'
import { fundFlowHandlers } from './routes.ts'

export default defineDomain({
  routes: fundFlowRoutes,
  handlers: fundFlowHandlers,
})
