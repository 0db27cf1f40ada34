import { rechargeRoutes } from '@coffer/contract/addresses.ts'
import { defineDomain } from '../../domain.ts'
import { rechargeHandlers } from './routes.ts'

export default defineDomain({
  routes: rechargeRoutes,
  handlers: rechargeHandlers,
})
