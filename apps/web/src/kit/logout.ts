import { api } from '../api/index.ts'
import { queryClient } from '../api/query.ts'
import { forgetToken, goToLogin, readToken } from '../lib/session.ts'
import { writeSessionStorage } from '../lib/storage.ts'

/** How long (ms) to wait for the server before redirecting. */
const longestWaitMs = 2_000

/** Ends the session locally in any case, and on the server if reachable. */
export async function logout(): Promise<void> {
  const ended = api('POST /api/v1/user/login-out', { token: readToken() }).catch(() => {
    // The local logout has happened; the server expires unused sessions by itself.
  })
  forgetToken()
  writeSessionStorage('withdrawal', null)
  queryClient.clear()
  await Promise.race([ended, new Promise(resolve => setTimeout(resolve, longestWaitMs))])
  goToLogin()
}
