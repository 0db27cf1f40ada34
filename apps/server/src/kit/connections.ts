import pg from 'pg'

/** The most connections that one server opens: its pools, and those for hints, presence, the schema and exports. */
export const connectionsPerServer = 44
/** The same to a replica: its pool, and exports. */
export const replicaConnectionsPerServer = 12

interface Limits {
  most: number
  reserved: number
  of_role: number
  of_database: number
  servers: number
  pid: number
}

const readLimits = `
  select current_setting('max_connections')::int as most,
    current_setting('superuser_reserved_connections')::int as reserved,
    (select rolconnlimit from pg_roles where rolname = session_user) as of_role,
    (select datconnlimit from pg_database where datname = current_database()) as of_database,
    (select count(*)::int from pg_stat_activity where application_name = 'coffer schema'
      and datname = current_database()) as servers,
    pg_backend_pid() as pid`

/**
 * Says for how many servers the database, and a PgBouncer in front of it, have connections.
 * @returns `short` when they are too few for the servers that run and one more
 */
export async function countConnections(
  databaseUrl: string,
  perServer = connectionsPerServer,
): Promise<{ text: string; short: boolean }> {
  const client = await open(databaseUrl)
  try {
    const { rows } = await client.query<Limits>(readLimits)
    const { most, reserved, of_role, of_database, servers, pid } = rows[0]!
    const limits = [most - reserved, ...[of_role, of_database].filter(each => each >= 0)]
    const ofDatabase = describe(Math.min(...limits), servers, perServer, 'the database allows')
    if (pid === (client as pg.Client & { processID: number }).processID) return ofDatabase
    const pool = await readPoolSize(databaseUrl)
    const ofPooler =
      pool === undefined
        ? {
            text: `the pool size of the pooler cannot be read: default_pool_size needs ${perServer} a server (stats_users lets it be read)`,
            short: false,
          }
        : describe(pool, servers, perServer, 'the pool of PgBouncer has')
    return { text: `${ofDatabase.text}; ${ofPooler.text}`, short: ofDatabase.short || ofPooler.short }
  } finally {
    await client.end()
  }
}

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

function describe(limit: number, running: number, perServer: number, who: string) {
  const needed = perServer * Math.max(1, running)
  const text = `${who} ${limit} connections, and ${running > 1 ? `${running} servers need` : 'a server needs'} up to ${needed}`
  return { text, short: limit < needed }
}

/** The size of the database's pool in PgBouncer, or undefined when this user may not read it. */
async function readPoolSize(databaseUrl: string): Promise<number | undefined> {
  const url = new URL(databaseUrl)
  const name = decodeURIComponent(url.pathname.slice(1))
  url.pathname = '/pgbouncer'
  const console = await open(url.href).catch(() => undefined)
  try {
    const { rows } = (await console?.query('show databases')) ?? { rows: [] }
    const pool = rows.find(each => each.name === name)?.pool_size
    return pool === undefined ? undefined : Number(pool)
  } catch {
    return undefined
  } finally {
    await console?.end().catch(() => {})
  }
}
