import type pg from 'pg'

/** What a connection is set to before its first statement. Poolers refuse or ignore the same as startup parameters. */
export interface Session {
  role: string
  /** Maximum duration of a statement (ms). */
  statementMs: number
  /** How long a transaction may wait for its process (ms). */
  idleMs: number
  /** How long to wait for a lock (ms). */
  lockMs: number
}

/** The sessions of pools, for connections beside them. */
export const poolSessions = new WeakMap<pg.Pool, Session>()

/** The timeline is the number of promotions in the history of a database; a standby has none of its own. */
const timeline = `case when pg_is_in_recovery() then null
  else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline`
const begin = `select set_config('role', $1, false), set_config('statement_timeout', $2, false),
  set_config('idle_in_transaction_session_timeout', $3, false), set_config('lock_timeout', $4, false), ${timeline}`

/** What answers is not the primary. PostgreSQL has the same code for a write on a standby. */
class NotPrimary extends Error {
  readonly code = '25006'
}

/** The newest timeline that this process has seen, by URL. */
const newest = new Map<string, number>()

/**
 * Sets a new connection up, and refuses a standby and a former primary, whose timeline is older than one seen before:
 * what it would commit is on no other server.
 * @throws NotPrimary
 */
export async function beginSession(client: pg.ClientBase, url: string, session: Session): Promise<void> {
  const { role, statementMs, idleMs, lockMs } = session
  const { rows } = await client.query<{ timeline: number | null }>(begin, [role, statementMs, idleMs, lockMs])
  notePrimary(url, rows[0]!.timeline)
}

/** The same check without settings, as for a connection of the owner. */
export async function requirePrimary(client: pg.ClientBase, url: string): Promise<void> {
  const { rows } = await client.query<{ timeline: number | null }>(`select ${timeline}`)
  notePrimary(url, rows[0]!.timeline)
}

function notePrimary(url: string, found: number | null): void {
  if (found === null) throw new NotPrimary('the server is in recovery')
  const known = newest.get(url) ?? 0
  if (found < known) throw new NotPrimary(`its timeline is ${found}, and ${known} was promoted since`)
  newest.set(url, found)
}

/** The commit is on the primary alone, and is lost when another is promoted: its outcome is not known. */
class LoneCommit extends Error {
  /** SQLSTATE `statement_completion_unknown`. */
  readonly code = '40003'
}

type Callback = (error: Error | undefined, result: unknown) => void

/**
 * Fails each statement whose commit stopped waiting for a standby because somebody cancelled it: PostgreSQL confirms it
 * all the same, with a warning.
 */
export function refuseLoneCommits(client: pg.ClientBase): void {
  let isAlone = false
  client.on('notice', notice => {
    if (notice.routine === 'SyncRepWaitForLSN') isAlone = true
  })
  const taken = () => {
    if (!isAlone) return undefined
    isAlone = false
    return new LoneCommit('a commit was cancelled while it waited for a standby')
  }
  const query = client.query.bind(client) as (...input: unknown[]) => unknown
  const checked = (...input: unknown[]) => {
    const last = input.at(-1)
    if (typeof last === 'function') {
      const after: Callback = (error, result) => (last as Callback)(error ?? taken(), result)
      return query(...input.slice(0, -1), after)
    }
    const made = query(...input)
    if (!(made instanceof Promise)) return made
    return made.then(result => {
      const problem = taken()
      if (problem) throw problem
      return result
    })
  }
  client.query = checked as typeof client.query
}
