import { limits } from '@coffer/contract/kit/limits.ts'
import { freshCodeSeconds } from '@coffer/contract/kit/operator-roles.ts'
import type { Deps } from '../../deps.ts'
import { type Queryable, tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { resetThrottle, throttle, undoCountedCall } from '../../kit/throttle.ts'
import type { Visitor } from '../../kit/visitor.ts'
import { findTotpTimeStep } from '../identity/proofs/check-authenticator.ts'
import { createIpQuota, requireWorkForCall } from '../identity/work/work.ts'
import { findVisitorStanding, rememberDevice } from '../people/devices.ts'
import { countSessionAttempt, endSession, setSessionFreshUntil } from '../people/sessions.ts'
import { authenticatorSealPlace, consumeAuthenticatorStep } from '../people/store.ts'
import { type OperatorSession, openOperatorSession } from './sessions.ts'
import { lockOperator, type Operator, operatorByEmail, operatorById } from './store.ts'

const ipLimit = { max: 30, seconds: 900 }
/** Wrong passwords for one account from one known device or one network. */
const ownLimit = { max: 10, seconds: 900 }
/** The same from all networks together that the account has not signed in from. Known ones do not count. */
const strangersLimit = { max: 60, seconds: 3_600 }
/** Wrong codes for one account, so that neither a stolen session nor a stolen password can try all. */
const codeLimit = { max: 10, seconds: 900 }

/**
 * Checks e-mail and password and returns the token of a session that awaits the authenticator code. Throws
 * Refusal('wrong_credentials'), after the same work, for an unknown account and a wrong password. Strangers who guess
 * never lock out anybody: beyond their shares a sign-in costs work, except on a device that signed in before.
 */
export async function signIn(deps: Deps, input: { email: string; password: string; from: Visitor }) {
  const { email, password, from } = input
  const operator = await operatorByEmail(deps.pool, email)
  const { known, device, key } = await findVisitorStanding(deps.pool, operator?.id, from)
  const own = `operator login ${email} ${key}`
  await tx(deps.pool, async c => {
    const counting = { ...deps, pool: c }
    if (device) return throttle(counting, own, ownLimit)
    const call = 'operator login'
    const shares = [createIpQuota(deps, call, from.ip, ipLimit), { key: own, limit: ownLimit, dearest: 64 }]
    if (!known) shares.push({ key: `${call} ${email}`, limit: strangersLimit, dearest: 8 })
    return requireWorkForCall(counting, { call, mailbox: email, shares, from })
  })
  const matches = await deps.passwords.verify(operator?.password_hash ?? null, password, key)
  if (!operator || !matches) throw new Refusal('wrong_credentials')
  const token = await tx(deps.pool, async c => {
    // The link may have been renewed during hashing.
    if ((await operatorById(c, operator.id))?.password_hash !== operator.password_hash)
      throw new Refusal('wrong_credentials')
    return openOperatorSession(deps, c, operator.id, from, { pending: true })
  })
  await resetThrottle(deps, own)
  if (!known) await undoCountedCall(deps, `operator login ${email}`)
  return { token }
}

/** Completes a sign-in: exchanges a pending session and an authenticator code for a session with another token. */
export async function verifySignIn(deps: Deps, input: { session: OperatorSession; code: string; from: Visitor }) {
  const { operatorId, tokenHash } = input.session
  if (!(await countSessionAttempt(deps.pool, tokenHash, limits.codeTriesMax))) throw new Refusal('login_expired')
  const { known, key } = await findVisitorStanding(deps.pool, operatorId, input.from)
  const step = await checkOperatorCode(deps, operatorId, input.code, known ? key : 'strangers')
  return tx(deps.pool, async c => {
    // In the order of all that changes operators, so that neither waits for the other.
    if (!(await lockOperator(c, operatorId))) throw new Refusal('login_expired')
    await consume(c, operatorId, step)
    if (!(await endSession(c, tokenHash))) throw new Refusal('login_expired')
    await rememberDevice(c, operatorId, input.from, deps.clock())
    return { token: await openOperatorSession(deps, c, operatorId, input.from) }
  })
}

/** Confirms the session with a fresh code, for calls that need one. */
export async function confirmSession(deps: Deps, input: { session: OperatorSession; code: string }) {
  const { operatorId, tokenHash } = input.session
  const step = await checkOperatorCode(deps, operatorId, input.code, 'signed in')
  const until = deps.clock() + freshCodeSeconds
  await tx(deps.pool, async c => {
    await consume(c, operatorId, step)
    if (!(await setSessionFreshUntil(c, tokenHash, until))) throw new Refusal('login_expired')
  })
  return { fresh_until: until }
}

const wrong = () => new Refusal('google_code_error', { field: 'google_code' })

/** `by` is who shares the limit of wrong codes. */
async function checkOperatorCode(deps: Deps, operatorId: string, code: string, by: string): Promise<number> {
  const key = `operator code ${operatorId} ${by}`
  await throttle(deps, key, codeLimit)
  const operator: Operator | undefined = await operatorById(deps.pool, operatorId)
  if (operator?.authenticator_secret == null) throw new Refusal('login_expired')
  const step = findTotpTimeStep(
    deps.seal.open(operator.authenticator_secret, authenticatorSealPlace(operatorId)),
    code,
    deps.clock(),
  )
  if (step === undefined || step <= operator.authenticator_step) throw wrong()
  await resetThrottle(deps, key)
  return step
}

async function consume(c: Queryable, operatorId: string, step: number) {
  if (!(await consumeAuthenticatorStep(c, operatorId, step))) throw wrong()
}
