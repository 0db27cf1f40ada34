import type { Routes } from '@coffer/contract'
import { goToLogin } from '../lib/session.ts'
import { createBrowserClient } from './browser.ts'
import { fetchOrReusePrefetched } from './early.ts'

/** The client of the back-office. Pages use `api`; `request` is for callers that handle codes themselves. */
export const { api, request, open } = createBrowserClient<Routes>({
  fetch: fetchOrReusePrefetched,
  goToLogin: why => goToLogin('expired', why),
})

export { RequestRefused, RequestUnanswered, type UnansweredReason } from './failure.ts'
export type { CallInput, CallOptions, Reply, RouteData, RouteKey } from './types.ts'
