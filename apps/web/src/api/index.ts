import type { Routes } from '@coffer/contract'
import { refused } from '../lib/refused.ts'
import { goToLogin } from '../lib/session.ts'
import { createBrowserClient } from './browser.ts'
import { fetchOrReusePrefetched } from './early.ts'
import { RequestRefused } from './failure.ts'

const client = createBrowserClient<Routes>({
  fetch: fetchOrReusePrefetched,
  goToLogin: why => goToLogin('expired', why),
})

/** The client of the back-office. Pages use `api`; `request` is for callers that handle codes themselves. */
export const { request, open } = client

/** Sends a call. A read that the role does not include is refused here: what shows it is not drawn. */
export const api: typeof client.api = async (key, options) => {
  if (key.startsWith('GET') && refused.get().includes(key)) throw new RequestRefused(403, 403, '')
  return client.api(key, options)
}

export { RequestRefused, RequestUnanswered, type UnansweredReason } from './failure.ts'
export type { CallInput, CallOptions, Reply, RouteData, RouteKey } from './types.ts'
