import type { Language } from '@coffer/contract/languages.ts'
import { verifySync } from 'otplib'
import type { Deps } from '../../deps.ts'
import { Refusal } from '../../kit/refusal.ts'
import { forgive, throttle } from '../../kit/throttle.ts'
import { type Merchant, useAuthenticatorStep } from '../merchants/store.ts'
import type { Spend } from './check-code.ts'

const period = 30
/** Limit of wrong codes per merchant across all uses, so that a stolen session cannot brute-force the code. */
const pace = { max: 10, seconds: 900 }
/** Daily limit of wrong codes. With the short limit alone, a brute-force attack could succeed within a year. */
const dayPace = { max: 50, seconds: 86_400 }

/** Returns the matching time step (RFC 6238, 30 s) of a code, allowing one step of clock skew; undefined without a match. */
export function authenticatorStep(secret: string, code: string, now: number): number | undefined {
  const result = verifySync({ secret, token: code, epoch: now, period, epochTolerance: period })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

const usedAlready: Record<Language, string> = {
  en: 'this code has been used, wait for the next one',
  'zh-CN': '该验证码已使用，请等待下一个',
}

/**
 * Checks a code of the bound authenticator. Refuses with `google_code_error` at `field`; the error tells whether a correct
 * code has already been used. The returned function consumes the code.
 */
export async function checkAuthenticator(
  deps: Deps,
  merchant: Merchant,
  code: string,
  field = 'google_code',
): Promise<Spend> {
  if (merchant.authenticator_secret === null) throw new Refusal('not_bound')
  const used = () => new Refusal('google_code_error', { field, detail: usedAlready })
  const key = `authenticator ${merchant.id}`
  await throttle(deps, key, pace)
  await throttle(deps, `${key} day`, dayPace)
  const step = authenticatorStep(deps.seal.open(merchant.authenticator_secret), code, deps.clock())
  if (step === undefined) throw new Refusal('google_code_error', { field })
  if (step <= merchant.authenticator_step) throw used()
  await forgive(deps, key)
  await forgive(deps, `${key} day`)
  return async c => {
    if (!(await useAuthenticatorStep(c, merchant.id, step))) throw used()
  }
}
