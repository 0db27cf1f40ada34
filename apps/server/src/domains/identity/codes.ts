import { first, type Queryable, run } from '../../kit/db.ts'

/** Target and purpose of a code. Each key has at most one code; a new one replaces it. */
export interface CodeKey {
  channel: 'email' | 'phone'
  target: string
  purpose: number
}

const where = 'channel = $1 and target = $2 and purpose = $3'
const keyOf = (key: CodeKey) => [key.channel, key.target, key.purpose] as const

const put = run(
  'code-put',
  `insert into verification_codes (channel, target, purpose, code_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (channel, target, purpose) do update
     set code_hash = $4, tries = 0, created_at = $5, expires_at = $6, used_at = null
     where verification_codes.created_at <= $5 - $7::bigint
   returning 1`,
)

/** Stores a new code; returns false when the last one is younger than `resendSeconds`. */
export const putCode = async (
  c: Queryable,
  key: CodeKey,
  { hash, now, expiresAt, resendSeconds }: { hash: Buffer; now: number; expiresAt: number; resendSeconds: number },
): Promise<boolean> => (await put(c, ...keyOf(key), hash, now, expiresAt, resendSeconds)) === 1

const drop = run('code-drop', `delete from verification_codes where ${where} and code_hash = $4`)

/** Removes a code that could not be sent. */
export const dropCode = (c: Queryable, key: CodeKey, hash: Buffer) => drop(c, ...keyOf(key), hash)

const addTry = first(
  'code-try',
  `update verification_codes set tries = tries + 1
   where ${where} and used_at is null and expires_at > $4 and tries < $5 returning code_hash`,
)

/** Counts an attempt and returns the hash to compare with; undefined without a valid code or attempts left. */
export const tryCode = (c: Queryable, key: CodeKey, now: number, triesMax: number) =>
  addTry(c, ...keyOf(key), now, triesMax)

const take = run(
  'code-take',
  `update verification_codes set used_at = $5 where ${where} and code_hash = $4 and used_at is null returning 1`,
)

/** Consumes the code; returns false when it has already been consumed. */
export const takeCode = async (c: Queryable, key: CodeKey, hash: Buffer, now: number): Promise<boolean> =>
  (await take(c, ...keyOf(key), hash, now)) === 1

/** Removes codes created at or before a time. Returns the number removed. */
export const forgetCodes = run('codes-forget', 'delete from verification_codes where created_at <= $1 returning 1')
