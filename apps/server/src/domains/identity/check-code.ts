import { timingSafeEqual } from 'node:crypto'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashCode } from '../../kit/secrets.ts'
import { forgive, type Pace, throttle } from '../../kit/throttle.ts'
import { type CodeKey, takeCode, tryCode } from './codes.ts'

/**
 * Limit of attempts per target across all its codes. A limit per code alone would allow guessing by requesting many codes.
 * A correct code resets the counter.
 */
const triesByAnybody: Pace = { max: 30, seconds: 86_400 }
const triesBySession: Pace = { max: 20, seconds: 3_600 }

/** Consumes a checked code in the transaction of the action that it authorizes, so that both commit or neither does. */
export type Spend = (c: Queryable) => Promise<void>

/**
 * Checks a verification code. Each attempt counts immediately, even when the action later fails; the code itself is
 * consumed by the returned function. Refuses with `email_code_error` or `sms_code_error`. `owner` is the merchant who
 * requested the code, or '' when not signed in.
 */
export async function checkCode(
  deps: Deps,
  given: CodeKey & { owner: string; code: string; field?: string },
): Promise<Spend> {
  const { field = 'code' } = given
  const wrong = () => new Refusal(given.channel === 'email' ? 'email_code_error' : 'sms_code_error', { field })
  const key = `code tries ${given.target} ${given.owner}`
  await throttle(deps, key, given.owner === '' ? triesByAnybody : triesBySession)
  const row = await tryCode(deps.pool, given, deps.clock(), limits.codeTriesMax)
  const hash = codeHash(deps, given, given.owner, given.code)
  if (!row || !timingSafeEqual(row.code_hash, hash)) throw wrong()
  await forgive(deps, key)
  return async c => {
    if (!(await takeCode(c, given, hash, deps.clock()))) throw wrong()
  }
}

/** Returns the keyed hash under which a code is stored. */
export const codeHash = (deps: Deps, key: CodeKey, owner: string, code: string): Buffer =>
  hashCode(deps.config.secret, [key.channel, key.target, key.purpose, owner, code])
