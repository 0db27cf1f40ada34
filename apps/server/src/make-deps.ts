import { EvmChain } from '@coffer/chains'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { startLive } from './live.ts'
import type { World } from './outside/world.ts'
import { makeSeal } from './seal.ts'

/** One structured line per event on standard output. */
export const makeLog = (config: Config): Logger =>
  pino({ level: config.logLevel, redact: ['req.headers["x-token"]', 'req.headers.authorization'] })

/** Connections of the server: at most 20, each statement at most 15 s, as the role that may not change the ledger. */
export const makePool = (databaseUrl: string, log: Logger): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 20,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    application_name: 'coffer',
    options: '-c role=coffer_app',
  })
  pool.on('error', error => log.warn({ err: error }, 'an idle database connection was lost'))
  return pool
}

/** Puts together what commands and jobs work with. `addressAt` comes from the watch-only key tree. */
export function makeDeps(config: Config, world: World, addressAt: Deps['addressAt']): Deps {
  const log = makeLog(config)
  return {
    config,
    pool: makePool(config.databaseUrl, log),
    log,
    clock: () => Math.floor(Date.now() / 1000),
    seal: makeSeal(config.secret),
    live: startLive(config.databaseUrl, log),
    mail: world.mail,
    text: world.text,
    signIn: world.signIn,
    prices: world.prices,
    chains: new Map(
      world.chains.map(({ definition, nodes }) => [definition.id, new EvmChain(definition, { endpoints: nodes })]),
    ),
    addressAt,
  }
}
