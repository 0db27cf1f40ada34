import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { testCluster } from './cluster.ts'

/** A test's context `t`, or `{ after }` of node:test for a whole file. */
export type Scope = { after: (fn: () => Promise<void> | void) => void }

/** A new database. `url` and `config` are equivalent. */
export type TestDatabase = {
  url: string
  config: { connectionString: string }
  name: string
  drop: () => Promise<void>
}

/** A database created once per cluster and then copied. `key` covers everything that `prepare` depends on. */
export type Template = { key: string; prepare: (url: string) => Promise<void> }

/**
 * Creates a database on the test cluster, empty or copied from a template. It is dropped at the end of the scope, with
 * its open connections.
 */
export async function withPostgres(scope: Scope, template?: Template): Promise<TestDatabase> {
  const cluster = await testCluster()
  const name = `test_${randomBytes(8).toString('hex')}`
  await onCluster(cluster, async client => {
    const source = template ? await preparedTemplate(client, cluster, template) : 'template1'
    await client.query(`create database ${name} template ${source} strategy file_copy`)
  })
  const url = databaseUrl(cluster, name)
  const drop = () => onCluster(cluster, async client => void (await dropDatabase(client, name)))
  scope.after(drop)
  return { url, config: { connectionString: url }, name, drop }
}

/** Returns the connection string of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`)
}

async function preparedTemplate(client: Client, cluster: string, { key, prepare }: Template): Promise<string> {
  const name = `template_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  const isMade = async () => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1
  if (await isMade()) return name
  await client.query('select pg_advisory_lock(hashtext($1))', [name])
  try {
    if (await isMade()) return name
    // It gets its name only once complete, so that an interrupted run leaves no template that looks ready.
    await dropDatabase(client, `${name}_partial`)
    await client.query(`create database ${name}_partial`)
    await prepare(databaseUrl(cluster, `${name}_partial`))
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [`${name}_partial`])
    await client.query(`alter database ${name}_partial rename to ${name}`)
    return name
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [name])
  }
}

async function dropDatabase(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`)
}

async function onCluster<T>(cluster: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: cluster })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
