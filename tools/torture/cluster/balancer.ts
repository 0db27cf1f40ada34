import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { render } from './database.ts'
import type { Network } from './network.ts'
import { type Program, startProgram } from './program.ts'
import type { Programs } from './programs.ts'

/** Starts HAProxy from `ops/cluster`, for the database on one port and for visitors on another. */
export function startBalancer(
  name: string,
  {
    dataDir,
    network,
    programs,
    ports,
  }: {
    dataDir: string
    network: Network
    programs: Programs
    ports: { database: number; web: number; app1: number; app2: number }
  },
): Promise<Program> {
  const folder = join(dataDir, name)
  mkdirSync(folder, { recursive: true })
  const { db1, db2, db3 } = network.addresses
  const at = (port: number) => `127.0.0.1:${port}`
  const file = render('haproxy.cfg', join(folder, 'haproxy.cfg'), {
    RUN: folder,
    DB1: db1,
    DB2: db2,
    DB3: db3,
    DATABASE_LISTEN: at(ports.database),
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
