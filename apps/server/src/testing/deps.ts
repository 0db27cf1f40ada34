import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Scope, Template } from '@coffer/local/testing/postgres.ts'
import { withWarmPostgres } from '@coffer/local/testing/warm-database.ts'
import pg from 'pg'
import { pino } from 'pino'
import { type Config, readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { sendDueMessages } from '../domains/notifications/sender.ts'
import type { Live } from '../kit/live.ts'
import { makePasswords } from '../kit/passwords.ts'
import { Refusal } from '../kit/refusal.ts'
import { makeSeal } from '../kit/seal.ts'
import { makeWholeShare } from '../kit/work-share.ts'
import { appRoleConnectionOptions } from '../migrations/app-role.ts'
import { migrate } from '../migrations/migrate.ts'
import { unsavedAddressIndexMark } from '../outside/address-index-mark.ts'
import { noIpLocations } from '../outside/places.ts'
import type { PushMessage } from '../outside/push.ts'
import { SignerUnavailable } from '../signer/client.ts'

/** Start of the clock in every test: Monday, 2 June 2025, 10:00 UTC. */
export const testStart = 1_748_858_400

/** Dependencies for tests, with a manual clock, sent messages and a count of password hashes. */
export interface TestDeps extends Deps {
  /** Advances the clock by seconds. */
  pass: (seconds: number) => void
  mails: { to: string; subject: string; text: string }[]
  texts: { to: string; text: string }[]
  pushes: PushMessage[]
  chats: { url: string; title: string; text: string; link: string; notes: string }[]
  /** Sends all messages that are due. */
  delivered: () => Promise<void>
  /** Returns how many passwords were hashed or verified. */
  hashes: () => number
}

const folder = new URL('../migrations/steps/', import.meta.url)
const template: Template = {
  key: readdirSync(folder)
    .sort()
    .map(file => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n'),
  prepare: async url => void (await migrate(url)),
}

/** The template with more tables. */
const withTables = (tables: string): Template => ({
  key: `${template.key}\n${tables}`,
  prepare: async url => {
    await template.prepare(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(tables).finally(() => client.end())
  },
})

/**
 * Gives a migrated, empty database with two pools: `pool` with the server's role, `owner` for changes that role may not
 * make. An earlier test of this process may have used it. `tables` creates more of them.
 */
export async function testDatabase(
  scope: Scope,
  { tables }: { tables?: string } = {},
): Promise<{ url: string; pool: pg.Pool; owner: pg.Pool }> {
  const database = await withWarmPostgres(scope, tables ? withTables(tables) : template)
  const pool = database.pool(10, appRoleConnectionOptions)
  const owner = database.pool(3)
  // Connections, idle or just released, may still be closing while their database is dropped.
  for (const each of [pool, owner]) each.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  return { url: database.url, pool, owner }
}

/** Hints of nothing. */
export const nothingLive: Live = {
  onMerchant: () => () => {},
  onPayment: () => () => {},
  onType: () => () => {},
  onAny: () => () => {},
  recent: () => [],
  stop: async () => {},
}

const silentSigner = async () => {
  throw new SignerUnavailable('there is no signer in this test')
}

const testSettings = (config?: Partial<Config>): Config => ({
  ...readConfig({ COFFER_DATA: '/nowhere' }),
  mode: 'production',
  callbackHttp: config?.mode === 'sandbox' ? 'allow' : 'refuse',
  secret: 'a secret for tests of 32 characters',
  operatorPort: 0,
  // Most chains of tests answer no balances.
  compareDeposits: 0,
  ...config,
})

/** Cheap hashes of passwords, which are counted. */
function countedPasswords(): { passwords: Deps['passwords']; hashes: () => number } {
  const cheap = makePasswords({ memory: 64, passes: 1, parallelism: 1 })
  let hashes = 0
  return {
    passwords: {
      hash: (password, turn) => {
        hashes++
        return cheap.hash(password, turn)
      },
      verify: (hash, password, turn) => {
        hashes++
        return cheap.verify(hash, password, turn)
      },
    },
    hashes: () => hashes,
  }
}

/** Senders that note what they send. */
function notingSenders() {
  const mails: TestDeps['mails'] = []
  const texts: TestDeps['texts'] = []
  const pushes: TestDeps['pushes'] = []
  const chats: TestDeps['chats'] = []
  const senders: Pick<Deps, 'mail' | 'text' | 'push' | 'chat' | 'telegram'> = {
    mail: {
      send: async ({ to, subject, text }) => void mails.push({ to, subject, text }),
      check: async () => {},
    },
    text: { send: async text => void texts.push(text) },
    push: {
      send: async push => {
        pushes.push(push)
        return { result: 'accepted' }
      },
    },
    chat: {
      post: async ({ url }, message) => {
        chats.push({ url, ...message })
        return { result: 'accepted' }
      },
    },
    telegram: {
      name: async () => 'coffer_test_bot',
      send: async () => ({ result: 'accepted' }),
      // As long as nobody writes.
      read: async (_, signal) => {
        if (!signal.aborted) await once(signal, 'abort')
        return []
      },
    },
  }
  return { senders, sent: { mails, texts, pushes, chats } }
}

const dollarPrices = (clock: () => number): Deps['prices'] => ({
  quote: async symbol => {
    if (symbol !== 'USDT') throw new Refusal('price_unavailable')
    return { price: '1', source: 'test', time: clock() }
  },
  sources: [],
  since: 0,
  refresh: async () => {},
  stop: async () => {},
})

const noSigner: Deps['signer'] = {
  hot: silentSigner,
  sweeper: silentSigner,
  holdsDeposits: silentSigner,
  exposure: silentSigner,
  releaseSites: silentSigner,
  treasury: silentSigner,
  sign: silentSigner,
  dryRun: silentSigner,
  isReleased: silentSigner,
  proveAddresses: silentSigner,
  proveStatement: silentSigner,
}

/**
 * Creates dependencies for tests: mails and text messages are recorded, the clock stands still until `pass`, USDT costs
 * 1 dollar and other tokens have no price, and there are no chains. `given` overrides any of them. The mode is
 * production by default, because limits apply only there.
 */
export function makeTestDeps(
  given: { pool: pg.Pool; config?: Partial<Config> } & Partial<Omit<Deps, 'config'>>,
): TestDeps {
  const { config, ...rest } = given
  let now = testStart
  const clock = () => now
  const { passwords, hashes } = countedPasswords()
  const { senders, sent } = notingSenders()
  const settings = testSettings(config)
  const deps: TestDeps = {
    config: settings,
    pools: { jobs: given.pool, chains: given.pool, probes: given.pool },
    replica: null,
    log: pino({ level: 'silent' }),
    clock,
    seal: makeSeal(settings.secret),
    passwords,
    breached: async () => false,
    sanctioned: () => false,
    places: noIpLocations,
    live: nothingLive,
    share: makeWholeShare(given.pool),
    ...senders,
    signIn: null,
    prices: dollarPrices(clock),
    chains: new Map(),
    addressAt: () => {
      throw new Error('addressAt is not available in this test')
    },
    addressMark: unsavedAddressIndexMark,
    signer: noSigner,
    ...rest,
    pass: seconds => {
      now += seconds
    },
    ...sent,
    hashes,
    delivered: () => sendDueMessages(deps),
  }
  return deps
}

/** Creates dependencies that use `database`, by default a new one. */
export async function withDeps(
  scope: Scope,
  given: { config?: Partial<Config>; database?: Awaited<ReturnType<typeof testDatabase>> } & Partial<
    Omit<Deps, 'config' | 'pool'>
  > = {},
): Promise<TestDeps & { owner: pg.Pool; url: string }> {
  const { database, ...rest } = given
  const { pool, owner, url } = database ?? (await testDatabase(scope))
  return { ...makeTestDeps({ ...rest, pool }), owner, url }
}
