import { timingSafeEqual } from 'node:crypto'
import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../../deps.ts'
import type { Queryable } from '../../../kit/db.ts'
import { Refusal } from '../../../kit/refusal.ts'
import { hashCode, hashSecret } from '../../../kit/secrets.ts'
import { countCall, readCallCount, resetThrottle, throttle } from '../../../kit/throttle.ts'
import { toIpRateLimitKey, type Visitor } from '../../../kit/visitor.ts'
import {
  consumeCode,
  countChallengeAttempt,
  countLatestCodeAttempt,
  uncountChallengeAttempt,
  uncountLatestCodeAttempt,
  type VerificationCodeKey,
} from '../store.ts'

/** Attempts of one person's sessions, reset by a correct one. */
const sessionLimit = { max: 20, seconds: 3_600 }
/**
 * Wrong codes for one address a day, from all networks. Above it a challenge allows a single attempt: guessing many
 * challenges stays hopeless, and the owner's correct code still works.
 */
const wrongLimit = { max: 30, seconds: 86_400 }

/**
 * Who entered a code: the person who requested it, or without a session the holder of its challenge. Clients without
 * challenges can use the last code requested from their own address.
 */
export type CodeHolder = { personId: string } | { challenge?: string | undefined; from: Visitor }

/** Consumes what was checked, within the transaction of the action that it confirmed. */
export type ConsumeCredential = (c: Queryable) => Promise<void>

/** Identifies who requested a code: a person, or the address of a visitor. */
export const requesterKey = (holder: CodeHolder): string =>
  'personId' in holder ? holder.personId : `ip ${toIpRateLimitKey(holder.from.ip)}`

/** Formats a phone number internationally. */
export const formatPhoneNumber = (areaCode: string, phone: string) => `+${areaCode.replace('+', '')}${phone}`

/** Key of the throttle that spaces the codes that one requester gets. */
export const codeThrottleKey = (key: VerificationCodeKey, requester: string): string =>
  `code pace ${key.join(' ')} ${requester}`

/**
 * Checks a verification code. A wrong attempt counts immediately, and only against the challenge that it is for; the
 * code is consumed by the returned function. Throws Refusal('email_code_error') or Refusal('sms_code_error').
 */
export async function checkCode(
  deps: Deps,
  key: VerificationCodeKey,
  holder: CodeHolder,
  code: string,
  field = 'code',
): Promise<ConsumeCredential> {
  const [channel, target] = key
  const wrong = () => new Refusal(channel === 'email' ? 'email_code_error' : 'sms_code_error', { field })
  const requester = requesterKey(holder)
  const attempts = `code tries ${target} ${requester}`
  const guesses = `wrong codes ${target}`
  const inSession = 'personId' in holder
  if (inSession) await throttle(deps, attempts, sessionLimit)
  const guessed = inSession ? 0 : await readCallCount(deps, guesses, wrongLimit.seconds)
  const tries = guessed < wrongLimit.max ? limits.codeTriesMax : 1
  const challenge = inSession ? undefined : holder.challenge
  const row =
    challenge === undefined
      ? await countLatestCodeAttempt(deps.pool, ...key, requester, deps.clock(), tries)
      : await countChallengeAttempt(deps.pool, hashSecret(challenge), ...key, deps.clock(), tries)
  if (!row) throw wrong()
  if (!timingSafeEqual(row.code_hash, hashVerificationCode(deps, key, code))) {
    if (!inSession) await countCall(deps, guesses, wrongLimit.seconds)
    throw wrong()
  }
  // Only wrong codes are attempts: an action refused for another reason is repeated with the same code.
  await (challenge === undefined ? uncountLatestCodeAttempt : uncountChallengeAttempt)(deps.pool, row.challenge_hash)
  if (inSession) await resetThrottle(deps, attempts)
  return async c => {
    if (!(await consumeCode(c, row.challenge_hash, deps.clock()))) throw wrong()
    // The next action needs a code of its own and should not wait for it.
    await resetThrottle({ ...deps, pool: c }, codeThrottleKey(key, requester))
  }
}

/** Returns the stored form of a code. */
export const hashVerificationCode = (deps: Deps, key: VerificationCodeKey, code: string): Buffer =>
  hashCode(deps.config.secret, [...key, code])
