import type { Handlers } from '../context.ts'
import { accountHandlers } from './account.ts'
import { applicationHandlers } from './application.ts'
import { callbackHandlers } from './callback.ts'
import { checkoutHandlers } from './checkout.ts'
import { currencyHandlers } from './currency.ts'
import { eventHandlers } from './events.ts'
import { marketHandlers } from './market.ts'
import { messageHandlers } from './message.ts'
import { payHandlers } from './pay.ts'
import { publicHandlers } from './public.ts'
import { statisticsHandlers } from './statistics.ts'
import { transactionHandlers } from './transactions.ts'
import { userHandlers } from './user.ts'

/** One handler for each route of the contract: a route without one does not compile. */
export const handlers: Handlers = {
  ...accountHandlers,
  ...applicationHandlers,
  ...callbackHandlers,
  ...checkoutHandlers,
  ...currencyHandlers,
  ...eventHandlers,
  ...marketHandlers,
  ...messageHandlers,
  ...payHandlers,
  ...publicHandlers,
  ...statisticsHandlers,
  ...transactionHandlers,
  ...userHandlers,
}
