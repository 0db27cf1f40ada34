import { ConfigProblem, isDatabase, notDatabase } from '../config.ts'
import { migrate } from '../migrations/migrate.ts'
import { version } from '../migrations/version.ts'

/**
 * `coffer migrate`: brings the database up to date as its owner. Needs only DATABASE_OWNER_URL, so that the server need
 * not know it.
 */
export async function migrateDatabase(env: NodeJS.ProcessEnv): Promise<string> {
  const url = env.DATABASE_OWNER_URL
  if (!url) throw new ConfigProblem('DATABASE_OWNER_URL is not set: it names the owner of the database')
  if (!isDatabase(url)) throw new ConfigProblem(`DATABASE_OWNER_URL ${notDatabase}`)
  const ran = await migrate(url, undefined, { log: line => void process.stderr.write(`${line}\n`) })
  return ran.length === 0
    ? `The database is up to date with Coffer ${version}.`
    : `The database is up to date with Coffer ${version}. Ran ${ran.join(', ')}.`
}
