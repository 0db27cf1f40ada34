import { join } from 'node:path'
import { readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { makeDeps } from '../make-deps.ts'
import type { World } from '../outside/world.ts'
import { postgresAccount } from '../platform/account.ts'
import { connectionString } from '../platform/postgres.ts'
import { ownerOf, socketFolder } from '../platform/postgres-folder.ts'

/** The sandbox's inbox lives in the server's process: what this one would mail goes nowhere, notifications still arrive. */
const quiet: World = {
  mail: { send: async () => {} },
  text: { send: async () => {} },
  signIn: null,
  priceSources: [],
  chains: [],
  xpubs: {},
}

/** Dependencies on the configured database; in the sandbox, on the one that `npm start` runs. `close` lets go of it. */
export async function openDeps(env: NodeJS.ProcessEnv): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const read = readConfig(env)
  const config = read.databaseUrl ? read : { ...read, databaseUrl: sandboxDatabase(read.dataDir) }
  const world =
    config.mode === 'production' ? await (await import('../outside/production.ts')).makeWorld(config) : quiet
  const deps = makeDeps({ ...config, logLevel: 'error' }, world)
  const close = async () => {
    await deps.live.stop()
    await deps.pool.end()
  }
  try {
    await deps.pool.query('select 1')
  } catch (error) {
    await close()
    throw error
  }
  return { deps, close }
}

function sandboxDatabase(dataDir: string): string {
  const folder = join(dataDir, 'pg')
  const port = 5432
  const host = socketFolder(folder, port, ownerOf(folder, postgresAccount()))
  return connectionString({ host, port, user: 'coffer', database: 'coffer' })
}
