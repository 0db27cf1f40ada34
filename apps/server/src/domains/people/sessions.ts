import { limits } from '@coffer/contract/kit/limits.ts'
import type { Deps } from '../../deps.ts'
import { first, type Queryable, run } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { hashSecret, newSecret } from '../../kit/secrets.ts'
import { deviceName, plainIp, type Visitor } from '../../kit/visitor.ts'

/** Where people sign in: to the back-office of shops, or to the console. They share nothing, an address neither. */
export type Realm = 'shop' | 'console'

/** What a member or a session of the console has where others have a shop. */
export const installationId = ''

/**
 * How long (s) a session lasts: while it awaits the second factor, without use, and in any case. Those of the console
 * end after a working day.
 */
const lasting = {
  shop: { pending: 600, idle: limits.sessionIdleSeconds, max: limits.sessionMaxSeconds },
  console: { pending: 300, idle: 15 * 60, max: 10 * 3_600 },
} satisfies Record<Realm, object>

/** Minimum seconds between two updates of a session's last use. */
const touchSeconds = 30

const insert = run(
  'session-insert',
  `insert into sessions (token_hash, id, person_id, merchant_id, pending, ip, device, fresh_until, created_at, last_seen)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
)

/** Notes for which shop a person works: the next sign-in opens it. */
export const noteMemberUse = run(
  'member-used',
  'update members set used_at = $3 where person_id = $1 and merchant_id = $2 and used_at < $3',
)

const noteTimeZone = run(
  'person-time-zone',
  `update persons set time_zone = $2
   where id = $1 and not time_zone_chosen and time_zone is distinct from $2`,
)

/** Opens a session of a person who works for a shop or, with `installationId`, in the console. */
export async function startSession(
  { clock }: Pick<Deps, 'clock'>,
  c: Queryable,
  given: {
    personId: string
    merchantId: string
    from: Pick<Visitor, 'ip' | 'device' | 'timeZone'>
    pending?: boolean
    freshUntil?: number
  },
): Promise<{ token: string; id: string; device: string; created_at: number }> {
  const { personId, merchantId, from, pending = false, freshUntil = 0 } = given
  const token = newSecret()
  const id = newId()
  const device = deviceName(from.device)
  const created_at = clock()
  const ip = plainIp(from.ip)
  await insert(c, hashSecret(token), id, personId, merchantId, pending, ip, device, freshUntil, created_at)
  if (from.timeZone) await noteTimeZone(c, personId, from.timeZone)
  if (merchantId !== installationId) await noteMemberUse(c, personId, merchantId, created_at)
  return { token, id, device, created_at }
}

/** Whether a session of a realm has not ended. */
export function isSessionOpen(
  { pending, created_at, last_seen }: { pending: boolean; created_at: number; last_seen: number },
  realm: Realm,
  now: number,
): boolean {
  const { pending: awaiting, idle, max } = lasting[realm]
  return now - created_at < (pending ? awaiting : max) && now - last_seen < idle
}

/** Updates the last use ($2) of a session unless that is less than $3 seconds ago. */
const touch = run(
  'session-touch',
  'update sessions set last_seen = $2 where token_hash = $1 and last_seen <= $2 - $3::bigint',
)

/** Notes the use of a session once in a while. */
export async function noteSessionUse(
  c: Queryable,
  { tokenHash, last_seen }: { tokenHash: Buffer; last_seen: number },
  now: number,
): Promise<void> {
  if (now - last_seen >= touchSeconds) await touch(c, tokenHash, now, touchSeconds)
}

/** Counts an attempt on a pending session; returns no row when $2 attempts were made. */
export const countSessionAttempt = first(
  'session-try',
  'update sessions set tries = tries + 1 where token_hash = $1 and pending and tries < $2 returning tries',
)

/** Allows calls that need a fresh code, until $2; returns 0 when the session has ended. */
export const setSessionFreshUntil = run(
  'session-fresh',
  'update sessions set fresh_until = $2 where token_hash = $1 returning 1',
)

/** Ends a session, and with it the pushes to its device. */
export const endSession = run(
  'session-end',
  `with ended as (delete from sessions where token_hash = $1 returning person_id, id), devices as (
     delete from push_devices d using ended where d.person_id = ended.person_id and d.session_id = ended.id
   )
   select from ended`,
)

/** Replaces the token of a session; returns 0 when it has ended. */
export const rotateSession = run(
  'session-rotate',
  'update sessions set token_hash = $2 where token_hash = $1 and not pending returning 1',
)

/** Ends all sessions of a person except $2, and returns their number. Null: all of them, and all chats. */
export const endSessionsOfPerson = run(
  'sessions-end',
  `with devices as (
     delete from push_devices where person_id = $1 and session_id not in (select id from sessions where token_hash = $2)
   ), channels as (delete from message_channels where person_id = $1 and $2::bytea is null)
   delete from sessions where person_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1`,
)

/** Ends the sessions in which a person works for a shop. */
export const endSessionsOfMember = run(
  'sessions-end-of-member',
  `with devices as (delete from push_devices where person_id = $1 and merchant_id = $2),
     channels as (delete from message_channels where person_id = $1 and merchant_id = $2)
   delete from sessions where person_id = $1 and merchant_id = $2 returning 1`,
)

/** Replaces the token of a session, which is for another shop from now on; returns 0 when it has ended. */
export const moveSession = run(
  'session-move',
  `update sessions set token_hash = $2, merchant_id = $3 where token_hash = $1 and merchant_id <> '' and not pending returning 1`,
)

/** Ends all sessions of those who work for a shop. */
export const endSessionsOfShop = run(
  'sessions-end-of-shop',
  `with devices as (delete from push_devices where merchant_id = $1),
     channels as (delete from message_channels where merchant_id = $1)
   delete from sessions where merchant_id = $1 returning 1`,
)

/** Ends one session of a person; returns 0 when there is none. */
export const endSessionById = run(
  'session-end-by-id',
  `with devices as (delete from push_devices where person_id = $1 and session_id = $2)
   delete from sessions where person_id = $1 and id = $2 returning 1`,
)

/** The console's sessions last longer: the first bound, by which the rows are found, holds for all. */
const forget = run(
  'sessions-forget',
  `delete from sessions where last_seen <= $1 and (merchant_id <> '' or last_seen <= $2) returning 1`,
)

/** Deletes sessions that have ended. Returns their number. */
export const deleteExpiredSessions = (c: Queryable, now: number): Promise<number> =>
  forget(c, now - lasting.shop.idle, now - lasting.console.max)
