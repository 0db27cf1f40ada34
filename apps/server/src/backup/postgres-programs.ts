import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorProblem } from '@coffer/local/problem.ts'

const run = promisify(execFile)

/** Paths of programs of PostgreSQL that fit a server. */
export interface PostgresPrograms {
  dump: string
  restore: string
}

/**
 * Finds `pg_dump` and `pg_restore`: in the given folder, else where Debian has those of the server's version, else in
 * the PATH.
 * @param major version of the server, such as 17
 * @throws OperatorProblem when there are none, or they are older than the server
 */
export async function findPostgresPrograms(major: number, folder = ''): Promise<PostgresPrograms> {
  const own = `/usr/lib/postgresql/${major}/bin`
  const at = folder || (existsSync(join(own, 'pg_dump')) ? own : '')
  const pathOf = (name: string) => (at ? join(at, name) : name)
  const found = { dump: pathOf('pg_dump'), restore: pathOf('pg_restore') }
  for (const path of Object.values(found)) {
    const version = await readMajorVersion(path)
    if (version === null)
      throw new OperatorProblem(
        `${path} cannot be run: install the programs of PostgreSQL ${major} (Debian: postgresql-client-${major}), or name their folder in COFFER_POSTGRES_BIN`,
      )
    if (version < major)
      throw new OperatorProblem(
        `${path} is of version ${version}, and the server of ${major}: install postgresql-client-${major}, or name the folder of its programs in COFFER_POSTGRES_BIN`,
      )
  }
  return found
}

async function readMajorVersion(path: string): Promise<number | null> {
  try {
    const { stdout } = await run(path, ['--version'])
    const [, major] = /\) (\d+)/.exec(stdout) ?? []
    return Number(major)
  } catch {
    return null
  }
}

/**
 * Splits the password off a connection string: arguments of a program are seen by all users of a machine, its
 * environment is not.
 */
export function hidePassword(url: string): { url: string; env: NodeJS.ProcessEnv } {
  const [, head, password] = /^([a-z]+:\/\/[^:@/?]*):([^@/?]*)@/.exec(url) ?? []
  if (head === undefined || password === undefined) return { url, env: process.env }
  const hidden = `${head}@${url.slice(head.length + password.length + 2)}`
  return { url: hidden, env: { ...process.env, PGPASSWORD: decodeURIComponent(password) } }
}
