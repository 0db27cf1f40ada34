import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { asAccount, ownerLogin, render, serverLogin } from './database.ts'
import type { Network } from './network.ts'
import { type Program, startProgram } from './program.ts'
import type { Programs } from './programs.ts'

/** Starts HAProxy from `ops/cluster`, for the database on one port and for visitors on another. */
export function startBalancer(
  name: string,
  {
    dataDir,
    ca,
    network,
    programs,
    ports,
  }: {
    dataDir: string
    /** File of the certificate of the cluster's authority. */
    ca: string
    network: Network
    programs: Programs
    ports: { database: number; replica: number; web: number; app1: number; app2: number }
  },
): Promise<Program> {
  const folder = join(dataDir, name)
  mkdirSync(folder, { recursive: true })
  const { db1, db2, db3 } = network.addresses
  const at = (port: number) => `127.0.0.1:${port}`
  const file = render('haproxy.cfg', join(folder, 'haproxy.cfg'), {
    RUN: folder,
    CA: ca,
    DB1: db1,
    DB2: db2,
    DB3: db3,
    DATABASE_LISTEN: at(ports.database),
    REPLICA_LISTEN: at(ports.replica),
    WEB_LISTEN: at(ports.web),
    APP1: at(ports.app1),
    APP2: at(ports.app2),
  })
  return startProgram({
    name,
    commandLine: [programs.haproxy, '-db', '-f', file],
    log: join(folder, 'haproxy.log'),
  })
}

/** Starts PgBouncer from `ops/cluster` in front of a port of HAProxy. Returns its own port. */
export async function startPooler(
  name: string,
  {
    dataDir,
    ca,
    programs,
    port,
    stops,
  }: { dataDir: string; ca: string; programs: Programs; port: number; stops: (() => unknown)[] },
): Promise<number> {
  const folder = join(dataDir, name)
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const logins = [ownerLogin, serverLogin].map(login =>
    login
      .split(':')
      .map(word => `"${word}"`)
      .join(' '),
  )
  writeFileSync(join(folder, 'userlist.txt'), `${logins.join('\n')}\n`)
  const own = await steadyPort()
  const file = render('pgbouncer.ini', join(folder, 'pgbouncer.ini'), {
    DATABASE_HOST: '127.0.0.1',
    DATABASE_PORT: String(port),
    POOLER_ADDRESS: '127.0.0.1',
    POOLER_PORT: String(own),
    FOLDER: folder,
    CA: ca,
  })
  const commandLine = [...asAccount(), programs.pgbouncer!, file]
  const program = await startProgram({ name, commandLine, log: join(folder, 'pgbouncer.log') })
  stops.push(program.stop)
  return own
}
