import { join } from 'node:path'
import { type ChainKind, chainKindNames } from '@coffer/chains'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { startLive } from './kit/live.ts'
import { logLoss } from './kit/log-loss.ts'
import { makePasswords } from './kit/passwords.ts'
import { Replica } from './kit/replica.ts'
import { beginReplicaSession } from './kit/replica-session.ts'
import { makeSeal } from './kit/seal.ts'
import { beginSession, poolSessions, refuseLoneCommits, type Session } from './kit/session.ts'
import { makeWholeShare } from './kit/work-share.ts'
import { appRole } from './migrations/app-role.ts'
import { makeFileAddressIndexMark, unsavedAddressIndexMark } from './outside/address-index-mark.ts'
import { buildCallbackReach } from './outside/addresses.ts'
import { makeBreachedPasswordCheck } from './outside/breached-passwords.ts'
import { makeChatPoster } from './outside/chat-hooks.ts'
import { openChain } from './outside/open-chain.ts'
import { noIpLocations } from './outside/places.ts'
import { makePrices } from './outside/prices/prices.ts'
import { makeWebPushSender } from './outside/push.ts'
import { makeSanctionsCheck } from './outside/sanctions.ts'
import { openTelegramBot } from './outside/telegram.ts'
import type { ExternalServices } from './outside/world.ts'
import { SignerClient } from './signer/client.ts'
import { resolveSignerSocketPath } from './signer/socket-path.ts'
import { cacheRecentAddresses, createWatchOnlyDeriver } from './signer/watch.ts'

/** Makes a logger that writes one structured line per event to standard output. */
export const makeLog = (config: Config): Logger =>
  pino({ level: config.logLevel, redact: ['req.headers["x-token"]', 'req.headers.authorization'] })

interface PoolSize {
  /** Maximum number of connections. */
  max: number
  /** How long to wait for a connection (ms). */
  waitMs: number
  /** Maximum duration of a statement (ms). */
  statementMs: number
  /** How long to wait for an answer (ms), by default `answerMarginMs` longer. */
  answerMs?: number
}

/**
 * An answer may never come: a connection can be cut without an end, and a commit can wait for a standby that is gone.
 * What it did is then not known (ms).
 */
const answerMarginMs = 5_000

/**
 * Connections of requests, of jobs, of the followers of chains, and of probes. With exports, hints and presence the
 * server opens at most 44. What a follower locked is free once a statement and `idleTransactionTimeoutMs` are over,
 * though its connection
 * was cut: then another process follows.
 */
export const connectionPoolSizes = {
  requests: { max: 20, waitMs: 5_000, statementMs: 15_000 },
  jobs: { max: 8, waitMs: 10_000, statementMs: 15_000 },
  chains: { max: 8, waitMs: 5_000, statementMs: 8_000, answerMs: 10_000 },
  probes: { max: 2, waitMs: 2_000, statementMs: 3_000 },
  /** Beside those to the primary. What the replica takes longer for is read from the primary. */
  replica: { max: 8, waitMs: 1_000, statementMs: 5_000, answerMs: 6_000 },
} satisfies Record<string, PoolSize>

/** How long a transaction may wait for its process (ms). */
export const idleTransactionTimeoutMs = 5_000

/** A process that freezes in a transaction loses it, and what it locked, before others give up waiting for the lock. */
const sessionOf = ({ statementMs }: Pick<PoolSize, 'statementMs'>): Session => ({
  role: appRole,
  statementMs,
  idleMs: idleTransactionTimeoutMs,
  lockMs: idleTransactionTimeoutMs + 2_000,
})

/**
 * How long an unused connection stays open (ms). A new one costs 0.16 s of the processor until its catalogs, plans and
 * functions are cached, as much as a hundred rounds of jobs; jobs at rest run every 10 s, which is when `pg` would
 * close it by default.
 */
const unusedMs = 300_000

/** Makes a pool of the server, by default the one of requests, with a role that cannot rewrite the ledger. */
export const makePool = (databaseUrl: string, log: Logger, size: PoolSize = connectionPoolSizes.requests): pg.Pool =>
  openPool(databaseUrl, log, size, (client, session) => {
    refuseLoneCommits(client)
    return beginSession(client, databaseUrl, session)
  })

/** Makes what reads the replica, if there is one. */
export const makeReplica = (
  { databaseReadUrl }: Pick<Config, 'databaseReadUrl'>,
  primary: pg.Pool,
  log: Logger,
): Replica | null =>
  databaseReadUrl
    ? new Replica({
        primary,
        pool: openPool(databaseReadUrl, log, connectionPoolSizes.replica, beginReplicaSession),
        log,
      })
    : null

function openPool(
  databaseUrl: string,
  log: Logger,
  size: PoolSize,
  begin: (client: pg.ClientBase, session: Session) => Promise<void>,
): pg.Pool {
  const session = sessionOf(size)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size.max,
    connectionTimeoutMillis: size.waitMs,
    idleTimeoutMillis: unusedMs,
    onConnect: client => begin(client, session),
    keepAlive: true,
    // By default the first probe comes after two hours: what forgets a connection at rest would be noticed by a query.
    keepAliveInitialDelayMillis: 30_000,
    query_timeout: size.answerMs ?? size.statementMs + answerMarginMs,
    application_name: 'coffer',
  })
  poolSessions.set(pool, session)
  pool.on('error', error => logLoss(log, error) || log.warn({ err: error }, 'idle database connection lost'))
  // A checked-out client has no error listener between statements, so losing its connection would crash the process.
  // With this listener, only the next statement fails.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** The system clock in Unix seconds. */
const wallClock = () => Math.floor(Date.now() / 1000)

/** Assembles the dependencies of commands and jobs. It holds public keys only. */
export function makeDeps(config: Config, world: ExternalServices, clock: () => number = wallClock): Deps {
  const log = makeLog(config)
  const pool = makePool(config.databaseUrl, log)
  const jobs = makePool(config.databaseUrl, log, connectionPoolSizes.jobs)
  return {
    config,
    pool,
    pools: {
      jobs,
      chains: makePool(config.databaseUrl, log, connectionPoolSizes.chains),
      probes: makePool(config.databaseUrl, log, connectionPoolSizes.probes),
    },
    replica: makeReplica(config, pool, log),
    log,
    clock,
    seal: makeSeal(config.secret, ...[config.secretPrevious].filter(Boolean)),
    passwords: makePasswords(),
    breached: makeBreachedPasswordCheck(config.breachedUrl),
    sanctioned: makeSanctionsCheck(config.sanctionsFile, log),
    places: world.places ?? noIpLocations,
    live: startLive(config.databaseUrl, log),
    share: makeWholeShare(pool),
    mail: world.mail,
    text: world.text,
    chat: world.chat ?? makeChatPoster(buildCallbackReach(config), clock),
    telegram: config.telegramToken ? openTelegramBot(config.telegramToken, config.telegramUrl) : null,
    push: world.push ?? makeWebPushSender(config, buildCallbackReach(config)),
    signIn: world.signIn,
    prices: makePrices(pool, clock, world.priceSources, log, jobs),
    chains: new Map(world.chains.map(watched => [watched.definition.id, openChain(watched, log)])),
    addressAt: watchOnlyTrees(world.xpubs),
    addressMark: config.mode === 'production' ? makeFileAddressIndexMark(config.dataDir) : unsavedAddressIndexMark,
    signer: new SignerClient(config.signerSocket || resolveSignerSocketPath(join(config.dataDir, 'signer'))),
  }
}

/** Addresses of a kind that are remembered: more than are watched ahead, 150 bytes each. */
const remembered = 20_000

function watchOnlyTrees(xpubs: ExternalServices['xpubs']): Deps['addressAt'] {
  const treeOf = (kind: ChainKind, xpub: string) => cacheRecentAddresses(createWatchOnlyDeriver(kind, xpub), remembered)
  const trees = new Map(chainKindNames.flatMap(kind => (xpubs[kind] ? [[kind, treeOf(kind, xpubs[kind])]] : [])))
  return (kind, index) => {
    const tree = trees.get(kind)
    if (!tree) throw new Error(`no extended public key for ${kind} chains`)
    return tree(index)
  }
}
