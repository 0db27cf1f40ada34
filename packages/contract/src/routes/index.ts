import { applicationRoutes } from './application.ts'
import { checkoutRoutes, payRoutes } from './pay.ts'
import { callbackRoutes, transactionRoutes } from './payment.ts'
import { publicRoutes } from './public.ts'
import { accountRoutes, currencyRoutes, marketRoutes, messageRoutes, statisticsRoutes } from './statistics.ts'
import { userRoutes } from './user.ts'

/** Everything that crosses the wire, in one table: 'METHOD /path' -> who may call it, what it takes and what it gives. */
export const routes = {
  ...publicRoutes,
  ...userRoutes,
  ...applicationRoutes,
  ...statisticsRoutes,
  ...currencyRoutes,
  ...accountRoutes,
  ...transactionRoutes,
  ...callbackRoutes,
  ...messageRoutes,
  ...marketRoutes,
  ...payRoutes,
  ...checkoutRoutes,
}
