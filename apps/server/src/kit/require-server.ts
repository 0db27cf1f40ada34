import { errorCode, OperatorProblem } from '@coffer/local/problem.ts'
import pg from 'pg'
import { connectionsPerServer } from './connections.ts'
import { databaseProblem, isConnectionLost, isOverload } from './database-problem.ts'
import { systemSql } from './replica-session.ts'
import { requirePrimary } from './session.ts'

/** How long to wait for a connection and for an answer (ms). A pooler lets a client wait that has no server. */
const patienceMs = 5_000

/**
 * Refuses what is no primary, and a pooler that gives a client another connection for each transaction: prepared
 * statements, advisory locks, settings and LISTEN belong to a connection.
 * @throws Problem, or what `databaseProblem` explains
 */
export const requireServer = (databaseUrl: string): Promise<void> =>
  withOwnConnections(databaseUrl, 'DATABASE_URL', first => requirePrimary(first, databaseUrl))

/**
 * Refuses what is no replica of the database, or shares connections between transactions.
 * @returns a warning, if it is not read for now
 * @throws Problem, or what `databaseProblem` explains
 */
export async function requireReplica(replicaUrl: string, databaseUrl: string): Promise<string | undefined> {
  let primary: DatabaseIdentity | undefined
  await withOwnConnections(databaseUrl, 'DATABASE_URL', async c => {
    primary = await readIdentity(c)
  })
  let replica: DatabaseIdentity | undefined
  try {
    await withOwnConnections(replicaUrl, 'DATABASE_READ_URL', async c => {
      replica = await readIdentity(c)
    })
  } catch (error) {
    if (!isConnectionLost(error) && !isOverload(error) && errorCode(error) !== 'ENOTFOUND')
      throw databaseProblem(error, 'DATABASE_READ_URL')
    return `the replica of DATABASE_READ_URL does not answer (${(error as Error).message}): the primary is read`
  }
  if (replica!.system !== primary!.system || replica!.name !== primary!.name)
    throw new OperatorProblem(
      'DATABASE_READ_URL leads to another database than DATABASE_URL: name a replica of it, and the same database, or unset it.',
    )
  return replica!.standby
    ? undefined
    : 'DATABASE_READ_URL leads to a primary and not to a replica: the one of DATABASE_URL is read'
}

interface DatabaseIdentity {
  system: string
  name: string
  standby: boolean
}

const readIdentity = async (c: pg.Client): Promise<DatabaseIdentity> =>
  (
    await c.query<DatabaseIdentity>(
      `select ${systemSql} as system, current_database() as name, pg_is_in_recovery() as standby`,
    )
  ).rows[0]!

/** Looks over a connection, and at whether others have their own. */
async function withOwnConnections(
  databaseUrl: string,
  variable: string,
  look: (first: pg.Client) => Promise<void>,
): Promise<void> {
  const clients: pg.Client[] = []
  const open = async () => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      application_name: 'coffer check',
    })
    clients.push(client.on('error', () => {}))
    await client.connect()
    return client
  }
  try {
    const first = await open()
    await look(first)
    const own = await readBackend(first)
    // A pooler invents the number that it tells its client.
    if (own === (first as pg.Client & { processID: number }).processID) return
    await requireOwnConnections(variable, first, own, open)
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
}

const readBackend = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

/** Lets others begin transactions: a pooler that shares connections gives them that of the first. */
async function requireOwnConnections(
  variable: string,
  first: pg.Client,
  own: number,
  open: () => Promise<pg.Client>,
): Promise<void> {
  try {
    for (let tries = 0; tries < 3; tries++) {
      const other = await open()
      await other.query('begin')
      if ((await readBackend(other)) === own || (await readBackend(first)) !== own)
        throw new OperatorProblem(describeSharing(variable))
    }
  } catch (error) {
    if (error instanceof OperatorProblem) throw error
    const { message } = error as Error
    if (/statement pooling/.test(message)) throw new OperatorProblem(describeSharing(variable))
    if (/Query read timeout|timeout expired|no more connections|query_wait_timeout/.test(message))
      throw new OperatorProblem(
        `The pooler at ${variable} gives this server no second connection (${message}): raise default_pool_size of PgBouncer to ${connectionsPerServer} a server.`,
      )
    throw error
  }
}

const describeSharing = (variable: string) =>
  `The pooler at ${variable} shares connections between transactions, in which prepared statements, advisory locks and LISTEN are lost: set pool_mode = session in PgBouncer, or name PostgreSQL itself.`
