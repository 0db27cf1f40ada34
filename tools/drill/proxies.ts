import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { makeCertificates, render } from '../torture/cluster/database.ts'
import { startProgram } from '../torture/cluster/program.ts'
import type { Drill } from './part.ts'

const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/bin']
/** Finds a program of this machine. */
export const findProgram = (name: string) =>
  folders
    .map(each => join(each, name))
    .find(path => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/** Starts HAProxy and nginx, as far as they are here, with the files of `ops/cluster`. Returns their addresses. */
export async function startProxies(
  { folder, after, log }: Drill,
  servers: { first: number; second: number },
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  // The database is on this machine.
  const addresses = { db1: '127.0.0.1', db2: '127.0.0.1', db3: '127.0.0.1' }
  const certificates = makeCertificates(join(folder, 'certificates'), addresses)
  for (const name of ['haproxy', 'nginx'] as const) {
    const program = findProgram(name)
    if (!program) {
      log(`${name} is not installed, and left out`)
      continue
    }
    const port = await steadyPort()
    const run = join(folder, name)
    mkdirSync(run)
    const settings = {
      RUN: run,
      WEB_LISTEN: `127.0.0.1:${port}`,
      APP1: `127.0.0.1:${servers.first}`,
      APP2: `127.0.0.1:${servers.second}`,
      CA: join(certificates, 'ca.crt'),
      DATABASE_LISTEN: `127.0.0.1:${await steadyPort()}`,
      REPLICA_LISTEN: `127.0.0.1:${await steadyPort()}`,
      DB1: addresses.db1,
      DB2: addresses.db2,
      DB3: addresses.db3,
    }
    const file = render(name === 'nginx' ? 'nginx.conf' : 'haproxy.cfg', join(run, 'settings'), settings)
    const commandLine = name === 'nginx' ? [program, '-c', file, '-g', 'daemon off;'] : [program, '-db', '-f', file]
    const started = await startProgram({ name, commandLine, log: join(folder, `${name}.log`) })
    after(started.stop)
    found[name] = `http://127.0.0.1:${port}`
  }
  if (Object.keys(found).length === 0)
    throw new OperatorProblem('The drill needs a proxy: on Debian, "apt-get install --no-install-recommends haproxy".')
  return found
}
