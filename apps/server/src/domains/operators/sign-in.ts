import { limits } from '@coffer/contract/kit/limits.ts'
import { freshCodeSeconds } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../../deps.ts'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { checkAuthenticator, checkSignInCode } from '../identity/proofs/check-authenticator.ts'
import { type GuessingRules, tryPassword } from '../identity/sign-in/try-password.ts'
import { countSessionAttempt, endSession, setSessionFreshUntil } from '../people/sessions.ts'
import { warnOperator } from './mails.ts'
import { enterConsole, type OperatorSession, openOperatorSession } from './sessions.ts'
import { lockOperator, type Operator, operatorByEmail, operatorById } from './store.ts'

/** How the passwords of operators may be guessed. */
const guessing: GuessingRules<Operator> = {
  call: 'operator login',
  ip: { max: 30, seconds: 900 },
  strangers: [{ counter: '', limit: { max: 60, seconds: 3_600 }, dearest: 8 }],
  idOf: operator => operator.id,
  warn: (deps, uow, { id }, from) => warnOperator(deps, uow, { id, name: 'operator_password_guessed', from }),
}

/**
 * Checks e-mail and password and returns the token of a session that awaits the authenticator code. Throws
 * Refusal('wrong_credentials'), after the same work, for an unknown account and a wrong password.
 */
export async function signIn(deps: Deps, input: { email: string; password: string; from: Visitor }) {
  const { email, from } = input
  const operator = await operatorByEmail(deps.pool, email)
  const { matches, forgive } = await tryPassword(deps, guessing, { ...input, person: operator })
  if (!operator || !matches) throw new Refusal('wrong_credentials')
  const token = await tx(deps.pool, async c => {
    // The link may have been renewed during hashing.
    if ((await operatorById(c, operator.id))?.password_hash !== operator.password_hash)
      throw new Refusal('wrong_credentials')
    return openOperatorSession(deps, c, operator.id, from, { pending: true })
  })
  await forgive()
  return { token }
}

/** Completes a sign-in: exchanges a pending session and an authenticator code for a session with another token. */
export async function verifySignIn(deps: Deps, input: { session: OperatorSession; code: string; from: Visitor }) {
  const { operatorId, tokenHash } = input.session
  if (!(await countSessionAttempt(deps.pool, tokenHash, limits.codeTriesMax))) throw new Refusal('login_expired')
  const consume = await checkSignInCode(deps, await holderOf(deps, operatorId), input.code, input.from)
  const { token } = await enterConsole(deps, input.from, async c => {
    // In the order of all that changes operators, so that neither waits for the other.
    const operator = await lockOperator(c, operatorId)
    if (!operator) throw new Refusal('login_expired')
    await consume(c)
    if (!(await endSession(c, tokenHash))) throw new Refusal('login_expired')
    return operator
  })
  return { token }
}

/** Confirms the session with a fresh code, for calls that need one. */
export async function confirmSession(deps: Deps, input: { session: OperatorSession; code: string }) {
  const { operatorId, tokenHash } = input.session
  const consume = await checkAuthenticator(deps, await holderOf(deps, operatorId), input.code)
  const until = deps.clock() + freshCodeSeconds
  await tx(deps.pool, async c => {
    await consume(c)
    if (!(await setSessionFreshUntil(c, tokenHash, until))) throw new Refusal('login_expired')
  })
  return { fresh_until: until }
}

/** Reads whose codes are checked. Without an authenticator, as after a new link, the session has ended. */
async function holderOf(deps: Deps, operatorId: string) {
  const operator = await operatorById(deps.pool, operatorId)
  if (operator?.authenticator_secret == null) throw new Refusal('login_expired')
  return { ...operator, person_id: operatorId }
}
