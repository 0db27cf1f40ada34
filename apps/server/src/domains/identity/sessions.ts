import { all, first, type Queryable, run, type Statements } from '../../kit/db.ts'

const columns = 's.token_hash, s.id, s.merchant_id, s.pending, s.tries, s.ip, s.device, s.created_at, s.last_seen'

/** A session. A pending one waits for the authenticator code and opens nothing else. */
export type SessionRow = Statements['sessions-open']['row']

/** A session together with what ends it from outside. */
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

/** Notes that a session was used, unless somebody just did, within as many seconds as the last value says. */
export const touchSession = run(
  'session-touch',
  'update sessions set last_seen = $2 where token_hash = $1 and last_seen <= $2 - $3::bigint',
)

const addTry = first(
  'session-try',
  'update sessions set tries = tries + 1 where token_hash = $1 and pending and tries < $2 returning tries',
)

/** Counts one try on a pending session and gives how many there were, or undefined when `max` are used up. */
export const countTry = async (c: Queryable, tokenHash: Buffer, max: number): Promise<number | undefined> =>
  (await addTry(c, tokenHash, max))?.tries

const end = run('session-end', 'delete from sessions where token_hash = $1 returning 1')

/** Gives whether there was one to end. */
export const endSession = async (c: Queryable, tokenHash: Buffer): Promise<boolean> => (await end(c, tokenHash)) === 1

/** Ends a merchant's sessions, all but one unless it is null. Gives how many. */
export const endSessions = run(
  'sessions-end',
  'delete from sessions where merchant_id = $1 and ($2::bytea is null or token_hash <> $2) returning 1',
)

/** Sessions of a merchant that were used since one moment and opened since another, the last used first. */
export const openSessions = all(
  'sessions-open',
  `select ${columns} from sessions s
   where merchant_id = $1 and not pending and last_seen > $2 and created_at > $3
   order by last_seen desc, id desc limit 100`,
)

/** Removes sessions that were not used since. Gives how many. */
export const forgetSessions = run('sessions-forget', 'delete from sessions where last_seen <= $1 returning 1')
