import { OperatorProblem } from '@coffer/local/problem.ts'
import type { Logger } from 'pino'
import { type Config, ConfigProblem, readConfig } from './config.ts'
import { syncChains } from './domains/chains/sync-chains.ts'
import { bindInstallation } from './domains/installation/fingerprints.ts'
import { requireSoundDatabase } from './domains/installation/inspect-database.ts'
import { awaitDatabase } from './kit/await-database.ts'
import { makeDatabaseClock } from './kit/clock.ts'
import { databaseProblem } from './kit/database-problem.ts'
import { requireDurable } from './kit/durability.ts'
import { runJobLoop } from './kit/loop.ts'
import { requireReplica, requireServer } from './kit/require-server.ts'
import type { IpLocationLookup } from './kit/visitor.ts'
import { makeDeps, makeLog } from './make-deps.ts'
import { requireLimitedUser } from './migrations/app-role.ts'
import { holdSchema } from './migrations/hold-schema.ts'
import { migrate, pendingMigrations } from './migrations/migrate.ts'
import { requireCollation } from './migrations/require-collation.ts'
import { noIpLocations, readPlaces } from './outside/places.ts'
import { startCofferServer } from './serve.ts'

/** How long a start waits for the database, which may start at the same time (ms). A sandbox has its own. */
const databasePatienceMs = 60_000

/**
 * The server process. Reads its configuration from the environment (config.ts), migrates the database, listens, and
 * sends `{ ready, url }` to its parent process. SIGTERM and SIGINT stop it gracefully.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const [world] = await Promise.all([
    config.mode === 'sandbox'
      ? import('./sandbox/world.ts').then(sandbox => sandbox.makeSandboxServices(config))
      : import('./outside/production.ts').then(production => production.makeExternalServices(config)),
    awaitDatabase(() => prepareDatabase(config), config.mode === 'sandbox' ? 0 : databasePatienceMs).catch(error => {
      throw databaseProblem(error)
    }),
  ])
  const log = makeLog(config)
  const clock = makeDatabaseClock(log)
  const deps = makeDeps(config, { ...world, places: openPlaces(config, log) }, clock.now)
  const letMigrate = await holdSchema({
    options: deps.pool.options,
    // Also when the connection comes back, which may be to another machine.
    check: async () => {
      await requireMigrated(config)
      await requireCollation(deps.pool)
    },
    onProblem: problem => {
      deps.log.fatal(problem.message)
      process.exit(1)
    },
  })
  for (const warning of await requireSoundDatabase(deps.pool, deps.clock())) log.warn(`the database: ${warning}`)
  if (config.mode === 'production') {
    await requireLimitedUser(deps.pool)
    for (const warning of await requireDurable(deps.pool)) log.warn(warning)
  }
  const { databaseUrl, databaseReadUrl } = config
  const notRead = databaseReadUrl && (await requireReplica(databaseReadUrl, databaseUrl))
  if (notRead) log.warn(notRead)
  await clock.read(deps.pools.jobs)
  await bindInstallation(deps)
  await syncChains(deps)
  const running = await startCofferServer(deps, world)
  const readings = new AbortController()
  void runJobLoop({
    name: 'read the clock of the database',
    everyMs: 30_000,
    log,
    signal: readings.signal,
    work: () => clock.read(deps.pools.jobs).then(() => false),
  })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    readings.abort()
    await running.stop()
    await letMigrate()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The IPC channel closes when the parent exits: stop, so that no process is orphaned.
  process.on('disconnect', stop)
  process.send?.({ ready: true, url: config.publicUrl })
  deps.log.info({ url: config.publicUrl, mode: config.mode }, 'ready')
}

main().catch(error => {
  const line = error instanceof ConfigProblem || error instanceof OperatorProblem ? error.message : describe(error)
  process.send?.({ failed: line })
  process.stderr.write(`coffer: ${line}\n`)
  process.exit(1)
})

/**
 * Migrates the database as its owner. In production without DATABASE_OWNER_URL the migrations must have run.
 * @throws Problem when some have not
 */
async function prepareDatabase({ mode, databaseUrl, databaseOwnerUrl }: Config): Promise<void> {
  await requireServer(databaseUrl)
  if (databaseOwnerUrl) await requireServer(databaseOwnerUrl)
  if (mode === 'sandbox' || databaseOwnerUrl) await migrate(databaseOwnerUrl || databaseUrl)
  else await requireMigrated({ databaseUrl })
}

async function requireMigrated({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  const pending = await pendingMigrations(databaseUrl)
  if (pending.length === 0) return
  throw new OperatorProblem(
    `The database needs ${pending.length} migrations (${pending[0]} and later): set DATABASE_OWNER_URL to its owner and run "npm run coffer -- migrate", or start with it.`,
  )
}

/** Reads the database of places. A damaged one is logged, and the server starts: payments do not depend on it. */
function openPlaces({ placesFile }: Config, log: Logger): IpLocationLookup {
  try {
    return readPlaces(placesFile)
  } catch (error) {
    log.error((error as Error).message)
    return noIpLocations
  }
}

/** Maps common startup errors to one actionable line. */
function describe(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code === 'EADDRINUSE')
    return `port ${error.port} is in use: stop what uses it or set COFFER_PORT or COFFER_OPERATOR_PORT to another`
  if (error.code === 'EACCES' && error.port)
    return `port ${error.port} may not be opened by this user: set COFFER_PORT to one above 1023`
  if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'].includes(error.code ?? ''))
    return `a node named in the chains file cannot be reached (${error.message})`
  return error.stack ?? String(error)
}
