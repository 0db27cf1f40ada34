import { rechargeRoutes } from '@coffer/contract/addresses/routes.ts'
import { defineDomain } from '../../domain.ts'
import { rechargeHandlers } from './routes.ts'

export default defineDomain({
  routes: rechargeRoutes,
  handlers: rechargeHandlers,
})
