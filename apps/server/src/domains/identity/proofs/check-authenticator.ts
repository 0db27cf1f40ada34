import type { Language } from '@coffer/contract/languages.ts'
import { verifySync } from 'otplib'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { resetThrottle, throttle } from '../../../kit/throttle.ts'
import type { Visitor } from '../../../kit/visitor.ts'
import type { Merchant } from '../../merchants/store.ts'
import { findVisitorStanding } from '../../people/devices.ts'
import { authenticatorSealPlace, consumeAuthenticatorStep } from '../../people/store.ts'
import type { ConsumeCredential } from '../codes/check-code.ts'

const period = 30
/** Attempts at one person's codes, so that a stolen session cannot try all. */
export const authenticatorCodeLimit = { max: 10, seconds: 900 }
/** Ten attempts in every quarter of an hour would find a code within a year. */
const dayLimit = { max: 50, seconds: 86_400 }

/** Returns the time step (RFC 6238, 30 s) of a code, with a tolerance of one step; undefined for a wrong code. */
export function findTotpTimeStep(secret: string, code: string, now: number): number | undefined {
  const result = verifySync({ secret, token: code, epoch: now, period, epochTolerance: period })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const usedBefore: Record<Language, string> = {
  en: 'this code has been used, wait for the next one',
  'zh-CN': '该验证码已使用，请等待下一个',
}

/** A person with an authenticator, which is sealed. */
type AuthenticatorHolder = Pick<Merchant, 'person_id' | 'authenticator_secret' | 'authenticator_step'>

/**
 * Checks a code of the bound authenticator at a sign-in. Strangers who know the password share their attempts, which
 * known devices and networks do not lack then.
 */
export async function checkSignInCode(deps: Deps, person: AuthenticatorHolder, code: string, from: Visitor) {
  const { known, key } = await findVisitorStanding(deps.pool, person.person_id, from)
  return checkAuthenticator(deps, person, code, { by: known ? key : 'strangers' })
}

/**
 * Checks a code of the bound authenticator. Throws Refusal('google_code_error') for `field`, with a detail when the
 * code is correct but was used before. The returned function consumes the code. Attempts count by `by`, so that
 * strangers who know the password do not use up those of sessions and known devices.
 */
export async function checkAuthenticator(
  deps: Deps,
  { person_id: id, authenticator_secret, authenticator_step }: AuthenticatorHolder,
  code: string,
  { field = 'google_code', by = 'session' }: { field?: string; by?: string } = {},
): Promise<ConsumeCredential> {
  if (authenticator_secret === null) throw new Refusal('not_bound')
  const used = () => new Refusal('google_code_error', { field, detail: usedBefore })
  const key = `authenticator ${id} ${by}`
  await throttle(deps, key, authenticatorCodeLimit)
  await throttle(deps, `${key} day`, dayLimit)
  const step = findTotpTimeStep(deps.seal.open(authenticator_secret, authenticatorSealPlace(id)), code, deps.clock())
  if (step === undefined) throw new Refusal('google_code_error', { field })
  if (step <= authenticator_step) throw used()
  await resetThrottle(deps, key)
  await resetThrottle(deps, `${key} day`)
  return async c => {
    if (!(await consumeAuthenticatorStep(c, id, step))) throw used()
  }
}
