import { one, type Queryable, q } from '../../kit/db.ts'

export interface SessionRow {
  token_hash: Buffer
  id: string
  merchant_id: string
  /** Waits for the authenticator code and opens nothing else. */
  pending: boolean
  tries: number
  ip: string
  device: string
  created_at: number
  last_seen: number
}

/** A session together with what ends it from outside. */
export const sessionByToken = (c: Queryable, tokenHash: Buffer) =>
  one<SessionRow & { frozen: boolean; closed: boolean }>(
    c,
    'session-by-token',
    `select s.token_hash, s.id, s.merchant_id, s.pending, s.tries, s.ip, s.device, s.created_at, s.last_seen,
            m.frozen, m.deleted_at is not null as closed
     from sessions s join merchants m on m.id = s.merchant_id where s.token_hash = $1`,
    [tokenHash],
  )

export const insertSession = (c: Queryable, session: Omit<SessionRow, 'tries' | 'last_seen'>) =>
  q(
    c,
    'session-insert',
    `insert into sessions (token_hash, id, merchant_id, pending, ip, device, created_at, last_seen)
     values ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      session.token_hash,
      session.id,
      session.merchant_id,
      session.pending,
      session.ip,
      session.device,
      session.created_at,
    ],
  )

/** Notes that a session was used, unless somebody just did. */
export const touchSession = (c: Queryable, tokenHash: Buffer, now: number, everySeconds: number) =>
  q(c, 'session-touch', 'update sessions set last_seen = $2 where token_hash = $1 and last_seen <= $2 - $3::bigint', [
    tokenHash,
    now,
    everySeconds,
  ])

/** Counts one try on a pending session and gives how many there were, or undefined when `max` are used up. */
export async function countTry(c: Queryable, tokenHash: Buffer, max: number): Promise<number | undefined> {
  const row = await one<{ tries: number }>(
    c,
    'session-try',
    'update sessions set tries = tries + 1 where token_hash = $1 and pending and tries < $2 returning tries',
    [tokenHash, max],
  )
  return row?.tries
}

/** Gives whether there was one to end. */
export async function endSession(c: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await q(c, 'session-end', 'delete from sessions where token_hash = $1 returning 1', [tokenHash])
  return rows.length === 1
}

/** Ends a merchant's sessions, all but one when `keep` is given. Gives how many. */
export async function endSessions(c: Queryable, merchantId: string, keep: Buffer | null): Promise<number> {
  const rows = await q(
    c,
    'sessions-end',
    'delete from sessions where merchant_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1',
    [merchantId, keep],
  )
  return rows.length
}

/** Sessions that are still open at this time, the last used first. */
export const openSessions = (c: Queryable, merchantId: string, idleSince: number, openedSince: number) =>
  q<SessionRow>(
    c,
    'sessions-open',
    `select token_hash, id, merchant_id, pending, tries, ip, device, created_at, last_seen from sessions
     where merchant_id = $1 and not pending and last_seen > $2 and created_at > $3
     order by last_seen desc, id desc limit 100`,
    [merchantId, idleSince, openedSince],
  )

/** Removes sessions that were not used since. Gives how many. */
export async function forgetSessions(c: Queryable, since: number): Promise<number> {
  return (await q(c, 'sessions-forget', 'delete from sessions where last_seen <= $1 returning 1', [since])).length
}
