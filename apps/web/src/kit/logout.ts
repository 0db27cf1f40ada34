import { api } from '../api/index.ts'
import { queryClient } from '../api/query.ts'
import { forgetToken, goToLogin, readToken } from '../lib/session.ts'

/** The person is not kept waiting for longer than this when the server does not answer. */
const longestWaitMs = 2_000

/** Ends the session here in any case, and on the server when it can be reached. */
export async function logout(): Promise<void> {
  const told = api('POST /api/v1/user/login-out', { token: readToken() }).catch(() => {
    // Out of this browser is what was asked for; the server ends an unused session by itself.
  })
  forgetToken()
  queryClient.clear()
  await Promise.race([told, new Promise(resolve => setTimeout(resolve, longestWaitMs))])
  goToLogin()
}
