import type { Routes } from '@coffer/contract'
import { goToLogin } from '../lib/session.ts'
import { browserClient } from './browser.ts'
import { fetchOrTake } from './early.ts'

/** The client of the back-office. Pages use `api`; `request` is for callers that handle codes themselves. */
export const { api, request, open } = browserClient<Routes>({
  fetch: fetchOrTake,
  goToLogin: why => goToLogin('expired', why),
})

export { Refused, Unanswered, type UnansweredReason } from './failure.ts'
export type { CallOptions, Data, Input, Reply, RouteKey } from './types.ts'
