import { type OperatorRole, operatorRoleNames } from '@coffer/contract/kit/operator-roles.ts'
import type { RoleRestrictedCall } from '@coffer/contract/operator/calls.ts'
import type { OperatorData, OperatorKey, OperatorRoutes } from '@coffer/contract/operator/index.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createBrowserClient } from '../../api/browser.ts'
import { RequestRefused, RequestUnanswered } from '../../api/failure.ts'
import { makeQueryClient } from '../../api/queryClient.ts'
import type { CallOptions, InputOf } from '../../api/types.ts'
import { cell } from '../../lib/cell.ts'
import { forgetToken, readToken, storeToken } from '../../lib/session.ts'
import { readSessionStorage, writeSessionStorage } from '../../lib/storage.ts'
import { cancelErrorToast } from '../../lib/toast.ts'
import { askFreshCode } from './fresh.ts'
import { canRoleCall } from './may.ts'

type Input<K extends OperatorKey> = InputOf<OperatorRoutes[K]>

/** Whether somebody is signed in; the shell shows the sign-in otherwise. */
export const isSignedIn = cell(readToken() !== null)

export function startConsoleSession(token: string): void {
  storeToken(token)
  isSignedIn.set(true)
}

export function endConsoleSession(): void {
  forgetToken()
  writeSessionStorage(roleName, null)
  queryClient.clear()
  isSignedIn.set(false)
}

const client = createBrowserClient<OperatorRoutes>({
  fetch: (input, init) => fetch(input, init),
  goToLogin: endConsoleSession,
})

const freshNeeded = 10_160

/** Returns the raw response of a call that does not answer with JSON. */
export const { open } = client

/** Sends a call of the console. One that needs a fresh code asks for it, and is sent again. */
export async function api<K extends OperatorKey>(key: K, options: Input<K> & CallOptions): Promise<OperatorData<K>> {
  try {
    return await client.api(key, options)
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.code !== freshNeeded) throw error
    cancelErrorToast(error.message)
    if (!(await askFreshCode())) throw new RequestUnanswered('aborted')
    return client.api(key, options)
  }
}

const freshMs = 5_000
const pollMs = 10_000

export const queryClient = makeQueryClient(api, freshMs, pollMs)

const ownSession = 'GET /api/operator/v1/session'
const roleName = 'role'

/** The role of whoever is signed in; until that is read, the one that this tab has read before. */
export function useRole(): OperatorRole | undefined {
  const { data } = useQuery(queryOptions<OperatorData<typeof ownSession>>({ queryKey: [ownSession, {}] }))
  const role = data?.role
  useEffect(() => {
    if (role) writeSessionStorage(roleName, role)
  }, [role])
  return role ?? operatorRoleNames.find(each => each === readSessionStorage(roleName))
}

/** Returns whether the operator may make a call. */
export function usePermissionCheck(): (key: RoleRestrictedCall) => boolean {
  const role = useRole()
  return key => canRoleCall(role, key)
}

/**
 * Reads a call of the console, and again while the page is in view: every 10 s, unless `every` (ms) says otherwise. One
 * that the operator's role may not make is not sent; `isRefused` says so, and what shows it is not drawn.
 */
export function useRead<K extends OperatorKey & `GET ${string}`>(key: K, input: Input<K>, { every = pollMs } = {}) {
  const role = useRole()
  const enabled = canRoleCall(role, key)
  const read = useQuery(queryOptions<OperatorData<K>>({ queryKey: [key, input], refetchInterval: every, enabled }))
  // What is returned notes which of its fields are used: it is not copied for those who may read.
  return (role && !enabled ? { ...read, isRefused: true } : read) as typeof read & { isRefused?: true }
}
