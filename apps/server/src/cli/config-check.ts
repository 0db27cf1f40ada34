import { chainAdapters, type Proof } from '@coffer/chains'
import { encodeHaltReason, formatStoredReason } from '@coffer/contract/incidents/reasons.ts'
import pg from 'pg'
import { type Config, ConfigProblem, readConfig, xpubVariable } from '../config.ts'
import { writeChains } from '../domains/chains/sync-chains.ts'
import { describePasskeysElsewhere } from '../domains/identity/passkeys/describe-elsewhere.ts'
import { describeEndingCertificate } from '../domains/installation/certificate-end.ts'
import { compareFingerprints } from '../domains/installation/fingerprints.ts'
import { describeFullDisk, readDatabaseDisk } from '../domains/installation/free-disk.ts'
import { inspectDatabase } from '../domains/installation/inspect-database.ts'
import { isSpendable } from '../domains/outgoing/store.ts'
import { countConnections, replicaConnectionsPerServer } from '../kit/connections.ts'
import { databaseProblem } from '../kit/database-problem.ts'
import { tx } from '../kit/db.ts'
import { requireDurable } from '../kit/durability.ts'
import { requireReplica, requireServer } from '../kit/require-server.ts'
import { makeDeps } from '../make-deps.ts'
import { requireLimitedUser } from '../migrations/app-role.ts'
import { findStops, pendingMigrations } from '../migrations/migrate.ts'
import { requireCollation } from '../migrations/require-collation.ts'
import { version } from '../migrations/version.ts'
import { readChainsFile } from '../outside/chains-file.ts'
import { mailProblem, smtpMailer } from '../outside/mail.ts'
import { findUnknownForkTime } from '../outside/open-chain.ts'
import { readPlaces } from '../outside/places.ts'
import { priceSources, sourcesAt } from '../outside/prices/sources.ts'
import { makeSanctionsCheck } from '../outside/sanctions.ts'
import type { ExternalServices, WatchedChain } from '../outside/world.ts'
import { SignerUnavailable } from '../signer/client.ts'
import { createWatchOnlyDeriver } from '../signer/watch.ts'

/**
 * One thing that was tried. `wrong` says what is wrong with it and how to correct it, `warning` what a start would warn
 * of.
 */
interface Finding {
  what: string
  ok?: string
  warning?: string
  wrong?: string
}

/** Time allowed for each thing that is tried (ms). */
const limitMs = 15_000

/** Prices need agreement of this many sources. */
const sourcesMin = 2

/**
 * `coffer config check`: says what a start with this environment would say, and tries database, mail, nodes and prices.
 * Changes nothing. Returns the exit code and one line per finding.
 * @param pricesAt base URLs of the price sources, instead of those of the settings
 */
export async function checkConfig(
  env: NodeJS.ProcessEnv,
  pricesAt?: Parameters<typeof priceSources>[0],
): Promise<{ code: number; text: string }> {
  const settings = await readSettings(env)
  const findings = Array.isArray(settings)
    ? settings
    : await tryAll(settings, pricesAt ?? sourcesAt(settings.config.pricesUrl))
  const lines = findings.map(
    ({ what, ok, warning, wrong }) =>
      `${wrong ? 'FAIL ' : warning ? 'WARN ' : 'ok   '} ${what}: ${wrong ?? warning ?? ok}`,
  )
  return { code: findings.some(each => each.wrong !== undefined) ? 1 : 0, text: lines.join('\n') }
}

interface Settings {
  config: Config
  chains: WatchedChain[]
}

/** Returns the settings, or everything that is missing or wrong in them and in the chains file. */
async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings | Finding[]> {
  const problems: string[] = []
  const note = (error: unknown) => {
    if (!(error instanceof ConfigProblem)) throw error
    problems.push(...error.message.split('\n'))
  }
  const chainsFile = env.COFFER_CHAINS || `${env.COFFER_DATA || '.coffer'}/chains.json`
  const chains = env.COFFER_MODE === 'production' ? await readChainsFile(chainsFile).catch(note) : []
  const keyless = new Set(
    (chains ?? []).map(({ definition: { kind } }) => xpubVariable(kind)).filter(name => !env[name]),
  )
  let config: Config | undefined
  try {
    config = readConfig(env)
  } catch (error) {
    note(error)
  }
  for (const name of keyless)
    if (!problems.some(line => line.startsWith(name))) problems.push(`${name} is not set: the chains file needs it`)
  for (const { definition } of chains ?? []) {
    const name = xpubVariable(definition.kind)
    if (env[name] && !isXpub(definition.kind, env[name]) && !problems.some(line => line.startsWith(name)))
      problems.push(`${name} is not an extended public key: set the one that "coffer signer init" printed`)
  }
  if (problems.length > 0 || !config) return problems.map(wrong => ({ what: 'settings', wrong }))
  return { config, chains: chains ?? [] }
}

function isXpub(kind: WatchedChain['definition']['kind'], xpub: string): boolean {
  try {
    createWatchOnlyDeriver(kind, xpub)
    return true
  } catch {
    return false
  }
}

async function tryAll({ config, chains }: Settings, pricesAt: Parameters<typeof priceSources>[0]): Promise<Finding[]> {
  const settings = { what: 'settings', ok: `complete for ${config.mode} of Coffer ${version}` }
  const places = config.placesFile
    ? [await tryIt('places', async () => readPlaces(config.placesFile) && 'the file can be read', message)]
    : []
  if (config.sanctionsFile)
    places.push(
      await tryIt(
        'sanctions',
        async () => makeSanctionsCheck(config.sanctionsFile, { error() {} }) && 'the file can be read',
        message,
      ),
    )
  if (config.mode === 'sandbox') return [settings, ...places]
  const found = await Promise.all([
    tryIt(
      'database',
      () => tryDatabase(config, chains),
      error => message(databaseProblem(error)),
    ),
    tryCommits(config),
    ...(config.databaseReadUrl ? [tryReplica(config)] : []),
    tryGround(config),
    tryIt('treasuries', () => tryTreasuries(config, chains), message),
    tryIt('passkeys', () => tryPasskeys(config), message),
    tryIt('mail', () => tryMail(config), mailProblem),
    ...(config.smtpBackupUrl
      ? [tryIt('backup mail', () => tryMail({ ...config, smtpUrl: config.smtpBackupUrl }), mailProblem)]
      : []),
    ...chains.flatMap(({ definition, nodes }) =>
      nodes.map((node, index) =>
        tryIt(`node ${index + 1} of ${definition.id}`, () => tryNode({ definition, nodes: [node] }), nodeProblem),
      ),
    ),
    tryPrices(pricesAt),
  ])
  return [settings, ...places, ...found]
}

async function tryIt(what: string, work: () => Promise<string>, explain: (error: unknown) => string): Promise<Finding> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(
      reject,
      limitMs,
      Object.assign(new Error(`no answer within ${limitMs / 1000} s`), { code: 'ETIMEDOUT' }),
    ).unref(),
  )
  try {
    return { what, ok: await Promise.race([work(), late]) }
  } catch (error) {
    return { what, wrong: explain(error) }
  }
}

const message = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .join('; ')

async function tryDatabase(config: Config, chains: WatchedChain[]): Promise<string> {
  await requireServer(config.databaseUrl)
  if (config.databaseOwnerUrl) await pendingMigrations(config.databaseOwnerUrl)
  const pending = await pendingMigrations(config.databaseUrl)
  if (pending.length > 0) {
    const stops = await findStops(pending)
    const how = stops.length > 0 ? `while no server runs (${stops.length} need that)` : 'while servers go on'
    if (config.databaseOwnerUrl) return `answers; the next start runs ${pending.length} migrations, ${how}`
    throw new Error(
      `needs ${pending.length} migrations, which run ${how}: set DATABASE_OWNER_URL to its owner and run "npm run coffer -- migrate"`,
    )
  }
  const world: ExternalServices = { ...nothing, chains, xpubs: config.xpubs }
  const deps = makeDeps({ ...config, logLevel: 'silent' }, world)
  try {
    await requireCollation(deps.pool)
    await requireLimitedUser(deps.pool)
    await requireDurable(deps.pool)
    const { problems } = await compareFingerprints(deps)
    if (problems.length > 0) throw new Error(problems.join('; '))
    // The start would write the chains and refuse changed tokens: see whether it could, and undo it.
    const definitions = chains.map(chain => chain.definition)
    const undo = new Error('undo')
    await tx(deps.pool, async c => {
      await writeChains(c, definitions)
      throw undo
    }).catch(error => {
      if (error !== undo) throw error
    })
    return 'answers, is up to date, and belongs to these keys, this secret and these chains'
  } finally {
    await Promise.all([deps.live.stop(), deps.prices.stop()])
    await deps.pool.end()
  }
}

/** Says what would lose confirmed commits, and how many servers have connections. */
const tryCommits = ({ databaseUrl }: Config): Promise<Finding> =>
  tryPool('commits and connections', databaseUrl, async pool => {
    const [warnings, counted] = await Promise.all([requireDurable(pool), countConnections(databaseUrl)])
    if (counted.short) return { wrong: `${counted.text}: raise the limit` }
    if (warnings.length > 0) return { warning: [...warnings, counted.text].join('; ') }
    return { ok: `what is confirmed is safe; ${counted.text}` }
  })

/** Says whether the replica can be read. */
async function tryReplica({ databaseUrl, databaseReadUrl }: Config): Promise<Finding> {
  const what = 'replica'
  try {
    const warning = await requireReplica(databaseReadUrl, databaseUrl)
    if (warning) return { what, warning }
    const counted = await countConnections(databaseReadUrl, replicaConnectionsPerServer)
    return counted.short ? { what, wrong: `${counted.text}: raise the limit` } : { what, ok: `fits; ${counted.text}` }
  } catch (error) {
    return { what, wrong: message(error) }
  }
}

/** Says what the database stands on that is unsound. */
const tryGround = ({ databaseUrl }: Config): Promise<Finding> =>
  tryPool('ground of the database', databaseUrl, async pool => {
    const now = Math.floor(Date.now() / 1_000)
    const findings = await inspectDatabase(pool, now)
    const disk = await readDatabaseDisk(pool, databaseUrl)
    const others = [disk && describeFullDisk(disk), await describeEndingCertificate(pool, now)]
    const text = [...findings.map(each => each.text), ...others].filter(each => each !== undefined).join('; ')
    if (findings.some(each => each.refuses)) return { wrong: text }
    return text ? { warning: text } : { ok: 'encoding, collation, time zones, age and replication slots are sound' }
  })

/** Looks at the database, once it can be used: why it cannot is another finding. */
async function tryPool(
  what: string,
  connectionString: string,
  look: (pool: pg.Pool) => Promise<Omit<Finding, 'what'>>,
): Promise<Finding> {
  const pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 5_000 })
  pool.on('error', () => {})
  try {
    return { what, ...(await look(pool)) }
  } catch {
    return { what, ok: 'not looked at before the database can be used' }
  } finally {
    await pool.end()
  }
}

/** Compares the treasuries that the signer names with addresses whose key it has. */
async function tryTreasuries(config: Config, chains: WatchedChain[]): Promise<string> {
  const deps = makeDeps({ ...config, logLevel: 'silent' }, { ...nothing, chains, xpubs: config.xpubs })
  try {
    const named = []
    for (const { definition } of chains.filter(each => chainAdapters[each.definition.kind].sending)) {
      const { id, kind } = definition
      const treasury = await deps.signer.treasury(id)
      if (!treasury) continue
      if ((await isSpendable(deps.pool, kind, treasury.address))!.yes)
        throw new Error(
          `the treasury of ${id} is a deposit address or a wallet of ours. Name one whose key is elsewhere`,
        )
      named.push(`${id}: ${chainAdapters[kind].address.show(treasury.address)}`)
    }
    return named.join(', ') || 'none is named: deposits are swept to the hot wallets'
  } catch (error) {
    if (error instanceof SignerUnavailable) return 'not compared, because the signer does not answer'
    throw error
  } finally {
    await Promise.all([deps.live.stop(), deps.prices.stop()])
    await deps.pool.end()
  }
}

/** Counts passkeys that were made at another host. None of them is a reason not to start: people can add others. */
async function tryPasskeys(config: Config): Promise<string> {
  const pending = await pendingMigrations(config.databaseUrl).catch(() => null)
  if (pending?.length !== 0) return 'not counted before the database answers and is up to date'
  const deps = makeDeps({ ...config, logLevel: 'silent' }, { ...nothing, chains: [], xpubs: config.xpubs })
  try {
    return (await describePasskeysElsewhere(deps)).join('; ') || 'none is known to be of another host'
  } finally {
    await Promise.all([deps.live.stop(), deps.prices.stop()])
    await deps.pool.end()
  }
}

const nothing: Omit<ExternalServices, 'chains' | 'xpubs'> = {
  mail: { send: async () => {}, check: async () => {} },
  text: { send: async () => {} },
  signIn: null,
  priceSources: [],
}

async function tryMail(config: Config): Promise<string> {
  await smtpMailer({ ...config, smtpBackupUrl: '' }).check()
  return 'the mail server accepts the login; "coffer mail test <address>" sends a mail'
}

async function tryNode(watched: WatchedChain): Promise<string> {
  const { definition, nodes } = watched
  let reason: Error | undefined
  const onError = (_url: string, error: Error) => {
    reason = error
  }
  const chain = chainAdapters[definition.kind].open(definition, { endpoints: nodes, onError })
  const { number } = await chain.head().catch(error => {
    throw reason ?? error
  })
  const block = await chain.blockAt(Math.max(0, number - 1))
  if (!block) throw new Error(`has no block ${number - 1}`)
  // As it is read later, with all that it holds.
  const tokens = definition.tokens.map(each => each.contract)
  const { proof } = await chain.transfersIn(block, { tokens, native: true, isOurs: () => false }).catch(error => {
    throw reason ?? error
  })
  if (!chain.isVerified && (definition.roots ?? chainAdapters[definition.kind].roots))
    throw new Error(`block ${number - 1} cannot be verified by its roots: upgrade Coffer, or set "roots" to false`)
  const how = chain.isVerified ? 'verified by its roots' : howBelieved(proof)
  const fork = await findUnknownForkTime(chain, Math.floor(Date.now() / 1_000))
  const warning = fork ? `; ${formatStoredReason(encodeHaltReason('unknown_fork', fork), 'en')}` : ''
  return `chain id ${definition.chainId}, block ${number}; what a block holds can be read and is ${how}${warning}`
}

/** How far a block is checked that is not verified as a whole. */
function howBelieved(proof: Proof | undefined): string {
  if (!proof) return 'believed if most nodes agree: the hash of its header cannot be rebuilt'
  if (proof.rank === 'whole' || proof.rank === 'part')
    return 'proved by its roots; what none covers is believed if most nodes agree'
  return `believed if most nodes agree and it fits its header (${proof.rank === 'logs' ? 'the root of its logs' : 'their bloom'})`
}

const nodeProblem = (error: unknown) =>
  `${message(error)}: correct its URL or headers in the chains file, or choose another node`

async function tryPrices(at: Parameters<typeof priceSources>[0]): Promise<Finding> {
  const sources = priceSources(at)
  const now = Math.floor(Date.now() / 1_000)
  const answers = await Promise.allSettled(sources.map(source => source.read(now)))
  const named = (status: string) => sources.filter((_, i) => answers[i]?.status === status).map(source => source.name)
  const working = named('fulfilled')
  const failed = named('rejected')
  const list = (names: string[]) => names.join(', ') || 'none'
  const ok = `sources that answer: ${list(working)}; that do not: ${list(failed)}`
  const wrong = `${ok}. Prices need ${sourcesMin}: let this machine reach them over https, or set COFFER_PRICES_URL to a mirror`
  return working.length >= sourcesMin ? { what: 'prices', ok } : { what: 'prices', wrong }
}
