import { limits } from '@coffer/contract/limits.ts'
import { freshSeconds } from '@coffer/contract/operator/roles.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SealPlace } from '../../kit/seal.ts'
import { resetThrottle, throttle, throttleIp } from '../../kit/throttle.ts'
import { ipKey, type Visitor } from '../../kit/visitor.ts'
import { timeStep } from '../identity/check-authenticator.ts'
import { type OperatorSession, openOperatorSession } from './sessions.ts'
import { countTry, endSession, type Operator, operatorByEmail, operatorById, setFresh, useStep } from './store.ts'

const ipLimit = { max: 30, seconds: 900 }
/** Wrong passwords for one account from one network, and from all together. */
const ownLimit = { max: 10, seconds: 900 }
const allLimit = { max: 60, seconds: 3_600 }
/** Wrong codes for one account, so that neither a stolen session nor a stolen password can try all. */
const codeLimit = { max: 10, seconds: 900 }

/** Where an operator's authenticator is sealed. */
export const operatorSecretAt = (id: string): SealPlace => ({ column: 'operators.authenticator_secret', row: id })

/**
 * Checks e-mail and password and returns the token of a session that awaits the authenticator code. Throws
 * Refusal('wrong_credentials'), after the same work, for an unknown account and a wrong password.
 */
export async function signIn(deps: Deps, input: { email: string; password: string; from: Visitor }) {
  const { email, password, from } = input
  await throttleIp(deps, 'operator login', from.ip, ipLimit)
  const own = `operator login ${email} ${ipKey(from.ip)}`
  await throttle(deps, own, ownLimit)
  await throttle(deps, `operator login ${email}`, allLimit)
  const operator = await operatorByEmail(deps.pool, email)
  const matches = await deps.passwords.verify(operator?.password_hash ?? null, password, ipKey(from.ip))
  if (!operator || !matches) throw new Refusal('wrong_credentials')
  const token = await tx(deps.pool, async c => {
    // The link may have been renewed during hashing.
    if ((await operatorById(c, operator.id))?.password_hash !== operator.password_hash)
      throw new Refusal('wrong_credentials')
    return openOperatorSession(deps, c, operator.id, from, { pending: true })
  })
  await resetThrottle(deps, own)
  return { token }
}

/** Completes a sign-in: exchanges a pending session and an authenticator code for a session with another token. */
export async function verifySignIn(deps: Deps, input: { session: OperatorSession; code: string; from: Visitor }) {
  const { operatorId, tokenHash } = input.session
  if (!(await countTry(deps.pool, tokenHash, limits.codeTriesMax))) throw new Refusal('login_expired')
  const step = await checkOperatorCode(deps, operatorId, input.code)
  return tx(deps.pool, async c => {
    await consume(c, operatorId, step)
    if (!(await endSession(c, tokenHash))) throw new Refusal('login_expired')
    return { token: await openOperatorSession(deps, c, operatorId, input.from) }
  })
}

/** Confirms the session with a fresh code, for calls that need one. */
export async function freshen(deps: Deps, input: { session: OperatorSession; code: string }) {
  const { operatorId, tokenHash } = input.session
  const step = await checkOperatorCode(deps, operatorId, input.code)
  const until = deps.clock() + freshSeconds
  await tx(deps.pool, async c => {
    await consume(c, operatorId, step)
    if (!(await setFresh(c, tokenHash, until))) throw new Refusal('login_expired')
  })
  return { fresh_until: until }
}

const wrong = () => new Refusal('google_code_error', { field: 'google_code' })

async function checkOperatorCode(deps: Deps, operatorId: string, code: string): Promise<number> {
  const key = `operator code ${operatorId}`
  await throttle(deps, key, codeLimit)
  const operator: Operator | undefined = await operatorById(deps.pool, operatorId)
  if (operator?.authenticator_secret == null) throw new Refusal('login_expired')
  const step = timeStep(deps.seal.open(operator.authenticator_secret, operatorSecretAt(operatorId)), code, deps.clock())
  if (step === undefined || step <= operator.authenticator_step) throw wrong()
  await resetThrottle(deps, key)
  return step
}

async function consume(c: Queryable, operatorId: string, step: number) {
  if (!(await useStep(c, operatorId, step))) throw wrong()
}
