import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorProblem } from '@coffer/local/problem.ts'

/** Where the programs of a cluster are. `postgres` is the folder of PostgreSQL's own. */
export interface Programs {
  patroni: string
  etcd: string
  haproxy: string
  postgres: string
  /** Only where servers connect by it. */
  pgbouncer?: string
}

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']
const find = (name: string) => folders.map(folder => join(folder, name)).find(isProgram)

function findPostgres(): string | undefined {
  const versions = (() => {
    try {
      return readdirSync('/usr/lib/postgresql')
    } catch {
      return []
    }
  })()
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map(version => `/usr/lib/postgresql/${version}/bin`)
    .find(folder => isProgram(join(folder, 'postgres')) && isProgram(join(folder, 'pg_basebackup')))
}

/**
 * Finds what a cluster is made of.
 * @throws Problem that names what is missing
 */
export function findPrograms(withPooler: boolean): Programs {
  const found = {
    patroni: find('patroni'),
    etcd: find('etcd'),
    haproxy: find('haproxy'),
    postgres: findPostgres(),
    ...(withPooler && { pgbouncer: find('pgbouncer') }),
  }
  const missing = Object.entries(found).flatMap(([name, path]) => (path ? [] : [name]))
  if (missing.length > 0)
    throw new OperatorProblem(
      `The cluster needs ${missing.join(', ')}: on Debian, "apt-get install --no-install-recommends postgresql patroni etcd-server haproxy${withPooler ? ' pgbouncer' : ''}", then stop what starts by itself.`,
    )
  return found as Programs
}
