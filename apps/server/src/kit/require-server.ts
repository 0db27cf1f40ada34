import { OperatorProblem } from '@coffer/local/problem.ts'
import pg from 'pg'
import { connectionsPerServer } from './connections.ts'
import { requirePrimary } from './session.ts'

/** How long to wait for a connection and for an answer (ms). A pooler lets a client wait that has no server. */
const patienceMs = 5_000

/**
 * Refuses what is no primary, and a pooler that gives a client another connection for each transaction: prepared
 * statements, advisory locks, settings and LISTEN belong to a connection.
 * @throws Problem, or what `databaseProblem` explains
 */
export async function requireServer(databaseUrl: string): Promise<void> {
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
    await requirePrimary(first, databaseUrl)
    const own = await readBackend(first)
    // A pooler invents the number that it tells its client.
    if (own === (first as pg.Client & { processID: number }).processID) return
    await requireOwnConnections(first, own, open)
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => {})))
  }
}

const readBackend = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

/** Lets others begin transactions: a pooler that shares connections gives them that of the first. */
async function requireOwnConnections(first: pg.Client, own: number, open: () => Promise<pg.Client>): Promise<void> {
  try {
    for (let tries = 0; tries < 3; tries++) {
      const other = await open()
      await other.query('begin')
      if ((await readBackend(other)) === own || (await readBackend(first)) !== own) throw new OperatorProblem(sharing)
    }
  } catch (error) {
    if (error instanceof OperatorProblem) throw error
    const { message } = error as Error
    if (/statement pooling/.test(message)) throw new OperatorProblem(sharing)
    if (/Query read timeout|timeout expired|no more connections|query_wait_timeout/.test(message))
      throw new OperatorProblem(
        `The pooler at DATABASE_URL gives this server no second connection (${message}): raise default_pool_size of PgBouncer to ${connectionsPerServer} a server.`,
      )
    throw error
  }
}

const sharing =
  'The pooler at DATABASE_URL shares connections between transactions, in which prepared statements, advisory locks and LISTEN are lost: set pool_mode = session in PgBouncer, or name PostgreSQL itself.'
