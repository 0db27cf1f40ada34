import { one, type Queryable, q } from '../../kit/db.ts'

/** Where a code went and what it confirms. There is at most one code for each: a new one replaces the old. */
export interface CodeKey {
  channel: 'email' | 'phone'
  target: string
  purpose: number
}

const where = 'channel = $1 and target = $2 and purpose = $3'
const keyOf = (key: CodeKey) => [key.channel, key.target, key.purpose]

/** Stores a new code unless the last one is younger than `resendSeconds`. Gives whether it did. */
export async function putCode(
  c: Queryable,
  key: CodeKey,
  code: { hash: Buffer; now: number; expiresAt: number; resendSeconds: number },
): Promise<boolean> {
  const rows = await q(
    c,
    'code-put',
    `insert into verification_codes (channel, target, purpose, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (channel, target, purpose) do update
       set code_hash = $4, tries = 0, created_at = $5, expires_at = $6, used_at = null
       where verification_codes.created_at <= $5 - $7::bigint
     returning 1`,
    [...keyOf(key), code.hash, code.now, code.expiresAt, code.resendSeconds],
  )
  return rows.length === 1
}

/** Takes back a code that could not be sent. */
export const dropCode = (c: Queryable, key: CodeKey, hash: Buffer) =>
  q(c, 'code-drop', `delete from verification_codes where ${where} and code_hash = $4`, [...keyOf(key), hash])

/** Counts one try and gives the hash to compare with, or undefined when there is no code that may still be tried. */
export const tryCode = (c: Queryable, key: CodeKey, now: number, triesMax: number) =>
  one<{ code_hash: Buffer }>(
    c,
    'code-try',
    `update verification_codes set tries = tries + 1
     where ${where} and used_at is null and expires_at > $4 and tries < $5 returning code_hash`,
    [...keyOf(key), now, triesMax],
  )

/** Uses the code up. Gives false when somebody did so before. */
export async function takeCode(c: Queryable, key: CodeKey, hash: Buffer, now: number): Promise<boolean> {
  const rows = await q(
    c,
    'code-take',
    `update verification_codes set used_at = $5 where ${where} and code_hash = $4 and used_at is null returning 1`,
    [...keyOf(key), hash, now],
  )
  return rows.length === 1
}

/** Removes codes made before. Gives how many. */
export async function forgetCodes(c: Queryable, before: number): Promise<number> {
  return (await q(c, 'codes-forget', 'delete from verification_codes where created_at <= $1 returning 1', [before]))
    .length
}
