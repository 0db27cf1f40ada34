import { timingSafeEqual } from 'node:crypto'
import { limits } from '@coffer/contract/limits.ts'
import type { Deps } from '../../deps.ts'
import type { Queryable } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { hashCode } from '../../kit/secrets.ts'
import { resetThrottle, throttle } from '../../kit/throttle.ts'
import { type CodeKey, consumeCode, tryCode } from './store.ts'

/**
 * Attempts at the codes sent to one address, reset by a correct one. Without it, five attempts at each of many codes would
 * soon guess one.
 */
const publicLimit = { max: 30, seconds: 86_400 }
const sessionLimit = { max: 20, seconds: 3_600 }

/** Consumes what was checked, within the transaction of the action that it confirmed. */
export type Consume = (c: Queryable) => Promise<void>

/**
 * Checks a verification code. The attempt counts immediately; the code is consumed by the returned function. Throws
 * Refusal('email_code_error') or Refusal('sms_code_error'). `owner` is the merchant who requested the code, or '' without a
 * session.
 */
export async function checkCode(
  deps: Deps,
  key: CodeKey,
  owner: string,
  code: string,
  field = 'code',
): Promise<Consume> {
  const [channel, target] = key
  const wrong = () => new Refusal(channel === 'email' ? 'email_code_error' : 'sms_code_error', { field })
  const attempts = `code tries ${target} ${owner}`
  await throttle(deps, attempts, owner === '' ? publicLimit : sessionLimit)
  const row = await tryCode(deps.pool, ...key, deps.clock(), limits.codeTriesMax)
  const hash = codeHash(deps, key, owner, code)
  if (!row || !timingSafeEqual(row.code_hash, hash)) throw wrong()
  await resetThrottle(deps, attempts)
  return async c => {
    if (!(await consumeCode(c, ...key, hash, deps.clock()))) throw wrong()
  }
}

/** Returns the stored form of a code. */
export const codeHash = (deps: Deps, key: CodeKey, owner: string, code: string): Buffer =>
  hashCode(deps.config.secret, [...key, owner, code])
