import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const columns = 's.token_hash, s.id, s.merchant_id, s.pending, s.tries, s.ip, s.device, s.created_at, s.last_seen'

/** A session. A pending one awaits the authenticator code and grants no other access. */
export type SessionRow = Statements['sessions-open']['row']

/** Finds a session by token hash, with the merchant's columns that can invalidate it. */
export const sessionByToken = first(
  'session-by-token',
  `select ${columns}, m.frozen, m.deleted_at is not null as closed
   from sessions s join merchants m on m.id = s.merchant_id where s.token_hash = $1`,
)

const insert = run(
  'session-insert',
  `insert into sessions (token_hash, id, merchant_id, pending, ip, device, created_at, last_seen)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

export const insertSession = (c: Queryable, session: Omit<SessionRow, 'tries' | 'last_seen'>) => {
  const { token_hash, id, merchant_id, pending, ip, device, created_at } = session
  return insert(c, token_hash, id, merchant_id, pending, ip, device, created_at)
}

/** Updates the time of last use, unless it was updated within the number of seconds in the last parameter. */
export const touchSession = run(
  'session-touch',
  'update sessions set last_seen = $2 where token_hash = $1 and last_seen <= $2 - $3::bigint',
)

const addTry = first(
  'session-try',
  'update sessions set tries = tries + 1 where token_hash = $1 and pending and tries < $2 returning tries',
)

/** Counts an attempt on a pending session. Returns the number of attempts; undefined when `max` was already reached. */
export const countTry = async (c: Queryable, tokenHash: Buffer, max: number): Promise<number | undefined> =>
  (await addTry(c, tokenHash, max))?.tries

const end = run('session-end', 'delete from sessions where token_hash = $1 returning 1')

/** Ends a session; returns false when there was none. */
export const endSession = async (c: Queryable, tokenHash: Buffer): Promise<boolean> => (await end(c, tokenHash)) === 1

/** Ends a merchant's sessions except the given one, if not null. Returns the number ended. */
export const endSessions = run(
  'sessions-end',
  'delete from sessions where merchant_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1',
)

/** Lists a merchant's sessions last used and opened after the given times, most recently used first. */
export const openSessions = all(
  'sessions-open',
  `select ${columns} from sessions s
   where merchant_id = $1 and not pending and last_seen > $2 and created_at > $3
   order by last_seen desc, id desc limit 100`,
)

/** Removes sessions last used at or before a time. Returns the number removed. */
export const forgetSessions = run('sessions-forget', 'delete from sessions where last_seen <= $1 returning 1')
