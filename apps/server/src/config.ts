import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { type ChainKind, chainKindNames } from '@coffer/chains'
import { feeBpsMax } from '@coffer/contract/kit/basis-points.ts'
import { isEmail, isUrl } from '@coffer/contract/kit/validators.ts'
import ipaddr from 'ipaddr.js'
import pg from 'pg'
import { z } from 'zod'

/** An invalid configuration. The message has one actionable line per problem. */
export class ConfigProblem extends Error {}

const sandboxSecret = 'sandbox-only-secret-that-protects-nothing'

/** Returns the environment variable that holds the extended public key (BIP-32) of a kind of chain. */
export const xpubVariable = (kind: ChainKind) => `COFFER_XPUB_${kind.toUpperCase()}`

/** Binds a setting to its environment variable. */
const from = <S extends z.ZodType>(variable: string, schema: S): S => schema.meta({ variable })

const needed = z.string({ error: 'is not set: production needs it' })
const optional = (fallback = '') => z.string().default(fallback)
const unused = z
  .undefined('is set, but COFFER_MODE is not production: set that to production, or unset this')
  .transform(() => '')
const oneOf = <const T extends string>(...values: T[]) =>
  z.enum(values, { error: ({ input }) => `is "${input}": use ${values.join(', ')}` })
const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .refine(text => Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `is "${input}": use a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .default(fallback)
/** Thousandths with at most one decimal, in hundredths of a percent. */
const permille = (fallback: number) =>
  z
    .string()
    .refine(text => /^\d{1,3}(\.\d)?$/.test(text) && Number(text) * 10 <= feeBpsMax, {
      error: ({ input }) => `is "${input}": use thousandths from 0 to ${feeBpsMax / 10}, such as 4 or 4.5`,
    })
    .transform(text => Math.round(Number(text) * 10))
    .default(fallback)
const address = needed
  .transform(value => value.replace(/(?<!\/)\/+$/, ''))
  .refine(isUrl, { error: 'is not an address: use https://pay.your-host.example', abort: true })
/** An address without a path: pages and calls stand at the root of their host. */
const origin = address.refine(
  url => !/[/?#]/.test(url.replace(/^\w+:\/\//, '')),
  'has a path: Coffer stands at the root of a host, so use a host name of its own, such as https://pay.your-host.example',
)
/** Reports whether a URL uses https. Plain http is accepted on loopback addresses. */
const isHttps = (url: string) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(url)
/** Whether the driver can read it: it takes addresses of sockets, which are no URLs. */
export const isDatabase = (url: string) => {
  try {
    return /^postgres(ql)?:\/\//.test(url) && new pg.Client({ connectionString: url }).host !== ''
  } catch {
    return false
  }
}
export const notDatabase =
  'is not an address: use postgres://user:password@host:5432/database, or postgres://user@/database?host=/var/run/postgresql for a socket; in a password / is written %2F, @ %40, : %3A, # %23, % %25'
const database = needed.refine(isDatabase, notDatabase)
const optionalDatabase = z.string().refine(isDatabase, notDatabase).default('')
const contact = z
  .string()
  .refine(text => isEmail(text) || (/^https:/.test(text) && isUrl(text)), {
    error: ({ input }) => `is "${input}": use an e-mail address or https://help.your-host.example`,
  })
  .default('')
const breached = z
  .literal('none')
  .transform(() => '')
  .or(address)
const metricsToken = z.string().min(16, 'is too short: use at least 16 random characters').default('')
const isMailServer = (url: string) => /^smtps?:\/\//.test(url) && URL.canParse(url)
const notMailServer = 'is not an address: use smtps://user:password@host, signs in it as in URLs'
const smtp = needed.refine(isMailServer, notMailServer)
const smtpBackup = z.string().refine(isMailServer, notMailServer).or(z.literal('')).default('')
const secret = needed
  .min(32, { error: 'is too short: use at least 32 random characters', abort: true })
  .refine(
    text => text !== sandboxSecret && new Set(text).size >= 10,
    'can be guessed: use at least 32 random characters',
  )
/** A CIDR range (but not everything), an address, or a host name with a letter at its start. */
const isReceiver = (entry: string) =>
  ipaddr.isValidCIDR(entry)
    ? ipaddr.parseCIDR(entry)[1] > 0
    : isIP(entry) > 0 || /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/.test(entry)
const receivers = z
  .string()
  .default('')
  .transform(text =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(entry => entry !== ''),
  )
  .refine(entries => entries.every(isReceiver), {
    error: ({ input }) => `is "${input}": use ranges and host names, such as 10.1.0.0/16,shop.internal`,
  })
const ports = z
  .string()
  .default('')
  .transform(text => text.split(/[\s,]+/).filter(entry => entry !== ''))
  .refine(entries => entries.every(entry => /^[1-9]\d{0,4}$/.test(entry) && Number(entry) <= 65_535), {
    error: ({ input }) => `is "${input}": use ports, such as 8443,9443`,
  })
  .transform(entries => entries.map(Number))
/** An http(s) address, or that of a provider with account, secret and sender. */
const isTextService = (url: string) =>
  /^https?:\/\/./.test(url) ||
  (/^(?:twilio|vonage):\/\/[^:@/?]+:[^:@/?]+@[^/?]+\/?\?/.test(url) &&
    Boolean(new URLSearchParams(url.slice(url.indexOf('?'))).get('from')))
const textService = z
  .string()
  .refine(isTextService, 'is not a service: use https://..., or twilio:// or vonage://account:secret@host?from=sender')
  .or(z.literal(''))
  .default('')
const telegramToken = z
  .string()
  .regex(/^\d+:[\w-]{20,}$/, 'is not a token: use the one that @BotFather shows, such as 123456:ABC...')
  .or(z.literal(''))
  .default('')
const countries = z
  .string()
  .default('')
  .transform(text => text.split(/[\s,]+/).filter(code => code !== ''))
  .refine(codes => codes.every(code => /^\+?[1-9]\d{0,3}$/.test(code)), {
    error: ({ input }) => `is "${input}": use country codes, such as 1,44,86`,
  })
  .transform(codes => codes.map(code => code.replace('+', '')))
const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')

/** All production settings. */
const production = z.object({
  /** Defaults to the sandbox, which needs no configuration. */
  mode: from('COFFER_MODE', oneOf('sandbox', 'production').default('sandbox')),
  /** Folder of the signer socket, and in the sandbox also of the database and the chains. */
  dataDir: from('COFFER_DATA', optional('.coffer')),
  /** Socket of a signer that runs as another user; by default that in COFFER_DATA. */
  signerSocket: from('COFFER_SIGNER_SOCKET', optional()),
  host: from('COFFER_HOST', optional('127.0.0.1')),
  port: from('COFFER_PORT', whole(8080, 1, 65_535)),
  /** Port of the operator's console; 0 for none. In the sandbox it defaults to the port after COFFER_PORT. */
  operatorPort: from('COFFER_OPERATOR_PORT', whole(0, 0, 65_535)),
  operatorHost: from('COFFER_OPERATOR_HOST', optional('127.0.0.1')),
  /** Base URL of the console in one-time links. No trailing slash. */
  operatorUrl: from(
    'COFFER_OPERATOR_URL',
    origin.refine(isHttps, 'is not https: passwords would be read on the way').or(z.literal('')).default(''),
  ),
  /** Public base URL, used in links and for the sign-in. No trailing slash. */
  publicUrl: from(
    'COFFER_PUBLIC_URL',
    origin.refine(isHttps, 'is not https: passwords and keys would be read on the way'),
  ),
  databaseUrl: from('DATABASE_URL', database),
  /**
   * Whether a connection to a database on another machine may go without TLS, such as in a container network of one
   * host.
   */
  databasePlain: from('COFFER_DATABASE_PLAIN', oneOf('refuse', 'allow').default('refuse')),
  /** The owner of the database, as which migrations run. `coffer migrate` may have it alone. */
  databaseOwnerUrl: from('DATABASE_OWNER_URL', optionalDatabase),
  /** A replica, from which lists, statistics and exports are read while it has all that the primary has. */
  databaseReadUrl: from('DATABASE_READ_URL', optionalDatabase),
  /** Encryption secret for recoverable data such as webhook secrets. `COFFER_SECRET_FILE` may name a file instead. */
  secret: from('COFFER_SECRET', secret),
  /** The secret before the last rotation, with which older seals are opened. Also `COFFER_SECRET_PREVIOUS_FILE`. */
  secretPrevious: from('COFFER_SECRET_PREVIOUS', optional()),
  /** Number of trusted reverse proxies in front of the server. */
  trustProxy: from('COFFER_TRUST_PROXY', whole(0, 0, 5)),
  smtpUrl: from('COFFER_SMTP_URL', smtp),
  /** The mail server that is tried when the first fails. */
  smtpBackupUrl: from('COFFER_SMTP_BACKUP_URL', smtpBackup),
  mailFrom: from('COFFER_MAIL_FROM', optional('Coffer <no-reply@localhost>')),
  /** Where merchants write to: an e-mail address or a page. */
  contact: from('COFFER_CONTACT', contact),
  /** Twilio, Vonage, or an SMS gateway that accepts POST {to, text}. */
  smsUrl: from('COFFER_SMS_URL', textService),
  /** The service that is tried when the first fails. */
  smsBackupUrl: from('COFFER_SMS_BACKUP_URL', textService),
  /** The bot by which merchants get messages in Telegram. `COFFER_TELEGRAM_URL` is another server of its API. */
  telegramToken: from('COFFER_TELEGRAM_TOKEN', telegramToken),
  telegramUrl: from('COFFER_TELEGRAM_URL', address.default('https://api.telegram.org')),
  /** Country codes to which text messages are sent, separated by commas; empty for all. */
  smsCountries: from('COFFER_SMS_COUNTRIES', countries),
  /** Range API with hashes of breached passwords; empty without one. */
  breachedUrl: from('COFFER_BREACHED_URL', breached.default('https://api.pwnedpasswords.com')),
  /** A mirror that has each price source below its name; empty: their public APIs. */
  pricesUrl: from(
    'COFFER_PRICES_URL',
    address.refine(isHttps, 'is not https: prices could be changed on the way').or(z.literal('')).default(''),
  ),
  /** Path of a database of places of IP addresses in the MaxMind DB format. */
  placesFile: from('COFFER_PLACES', optional()),
  /** Path of a file with addresses that are not paid. */
  sanctionsFile: from('COFFER_SANCTIONS', optional()),
  googleClientId: from('COFFER_GOOGLE_CLIENT_ID', optional()),
  googleClientSecret: from('COFFER_GOOGLE_CLIENT_SECRET', optional()),
  /** Path of the JSON file with chains, nodes and tokens. */
  chainsFile: from('COFFER_CHAINS', optional()),
  xpubEvm: from('COFFER_XPUB_EVM', needed),
  /** What pays for the energy of sweeps on TRON: `burn`, `staked`, or the URL of a provider. */
  tronEnergy: from(
    'COFFER_TRON_ENERGY',
    z
      .string()
      .refine(
        value => value === 'burn' || value === 'staked' || (isHttps(value) && URL.canParse(value)),
        'is not known: use burn, staked or https://token@provider.example/orders',
      )
      .default('burn'),
  ),
  /** Platform fee on each payment, in hundredths of a percent. */
  feeBps: from('COFFER_FEE_PERMILLE', permille(40)),
  /** First deposits of a token that are compared with balances before they are credited; then one in 100. 0: none. */
  compareDeposits: from('COFFER_COMPARE_DEPOSITS', whole(10, 0, 10_000)),
  /** Platform fee on each withdrawal, in hundredths of a percent. */
  withdrawFeeBps: from('COFFER_WITHDRAW_FEE_PERMILLE', permille(10)),
  /** Largest withdrawal, and largest total of a merchant's withdrawals in 24 hours, in USDT. */
  withdrawSingleMax: from('COFFER_WITHDRAW_SINGLE_MAX', whole(10_000, 1, 1_000_000_000)),
  withdrawDayMax: from('COFFER_WITHDRAW_DAY_MAX', whole(50_000, 1, 1_000_000_000)),
  /** Value in USDT above which the operator must approve a withdrawal; 0 for none. */
  withdrawApprovalAbove: from('COFFER_WITHDRAW_APPROVAL_ABOVE', whole(0, 0, 1_000_000_000)),
  /** Value in USDT above which two operators must approve a withdrawal; 0 for never. */
  withdrawTwoAbove: from('COFFER_WITHDRAW_TWO_ABOVE', whole(0, 0, 1_000_000_000)),
  /**
   * Value in USDT above which two operators resume wallets and withdrawals, undo deposits, raise limits, lift holds and
   * lower a risk level.
   */
  twoPeopleAbove: from('COFFER_TWO_PEOPLE_ABOVE', whole(10_000, 0, 1_000_000_000)),
  /** Hours without withdrawals after a change of email, phone or authenticator. */
  withdrawHoldHours: from('COFFER_WITHDRAW_HOLD_HOURS', whole(24, 0, 720)),
  /** Whether callback URLs may use unencrypted http. The sandbox always allows it. */
  /** Seconds between the claim of a refund by its link and its sending, in which the merchant can stop it. */
  refundDelay: from('COFFER_REFUND_DELAY', whole(3_600, 0, 604_800)),
  /** Seconds in which a server that stops still answers, so that proxies notice that it leaves. */
  drainSeconds: from('COFFER_DRAIN_SECONDS', whole(3, 0, 60)),
  callbackHttp: from('COFFER_CALLBACK_HTTP', oneOf('refuse', 'allow').default('refuse')),
  /** Internal receivers of callbacks: CIDR ranges and host names, separated by commas. */
  callbackPrivate: from('COFFER_CALLBACK_PRIVATE', receivers),
  /** Ports to which callbacks and push messages may go besides 443 and 80. The sandbox allows any from 1024. */
  callbackPorts: from('COFFER_CALLBACK_PORTS', ports),
  /** Whether a proof of liabilities and reserves is published each day: it shows all sums and addresses. */
  proof: from('COFFER_PROOF', oneOf('off', 'daily').default('off')),
  /** Hours after which an incident says that no backup was checked; 0: never. */
  backupHours: from('COFFER_BACKUP_HOURS', whole(48, 0, 8_760)),
  logLevel: from('COFFER_LOG', logLevel.default('info')),
  /** Bearer token with which another machine may read the metrics. */
  metricsToken: from('COFFER_METRICS_TOKEN', metricsToken),
})

/** Settings with secrets. `<name>_FILE` may name a file instead, as secret managers mount it. */
const secretSettings = [
  'COFFER_SECRET',
  'COFFER_SECRET_PREVIOUS',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_READ_URL',
  'COFFER_SMTP_URL',
  'COFFER_SMTP_BACKUP_URL',
  'COFFER_SMS_URL',
  'COFFER_SMS_BACKUP_URL',
  'COFFER_TELEGRAM_TOKEN',
  'COFFER_TRON_ENERGY',
  'COFFER_GOOGLE_CLIENT_SECRET',
  'COFFER_METRICS_TOKEN',
] as const

/** Settings that are read elsewhere: keys by kind of chain, files with secrets, those of the signer and of backups. */
const others = [
  ...chainKindNames.map(xpubVariable),
  ...secretSettings.map(name => `${name}_FILE`),
  'COFFER_SIGNER_PASSPHRASE',
  'COFFER_SIGNER_PASSPHRASE_FILE',
  'COFFER_BACKUP_RECIPIENTS',
  'COFFER_BACKUP_PASSPHRASE_FILE',
  'COFFER_BACKUP_KEY_FILE',
  'COFFER_BACKUP_SIGNER',
  'COFFER_BACKUP_SCRATCH_URL',
  'COFFER_POSTGRES_BIN',
]

/**
 * The sandbox shows all confirmation codes and trusts every sign-in, so it must never start in place of production. It
 * refuses the settings that every production deployment has.
 */
const sandbox = production.extend({
  publicUrl: from('COFFER_PUBLIC_URL', origin.default('')),
  databaseUrl: from('DATABASE_URL', database.default('')),
  secret: from('COFFER_SECRET', optional(sandboxSecret)),
  breachedUrl: from('COFFER_BREACHED_URL', breached.default('')),
  smtpUrl: from('COFFER_SMTP_URL', unused),
  smtpBackupUrl: from('COFFER_SMTP_BACKUP_URL', unused),
  withdrawHoldHours: from('COFFER_WITHDRAW_HOLD_HOURS', whole(0, 0, 720)),
  refundDelay: from('COFFER_REFUND_DELAY', whole(0, 0, 604_800)),
  drainSeconds: from('COFFER_DRAIN_SECONDS', whole(0, 0, 60)),
  callbackHttp: from('COFFER_CALLBACK_HTTP', oneOf('refuse', 'allow').default('allow')),
  proof: from('COFFER_PROOF', oneOf('off', 'daily').default('daily')),
  xpubEvm: from('COFFER_XPUB_EVM', unused),
  backupHours: from('COFFER_BACKUP_HOURS', whole(0, 0, 8_760)),
  logLevel: from('COFFER_LOG', logLevel.default('warn')),
})

/** The configuration, read once at startup. */
export type Config = Omit<z.output<typeof production>, 'xpubEvm'> & {
  /** Extended public key of each kind of chain, as printed by `coffer signer init`. Unset kinds are absent. */
  xpubs: Partial<Record<ChainKind, string>>
}

/**
 * Reads the configuration from environment variables. An empty variable counts as unset. Throws ConfigProblem with
 * every missing or invalid value.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const schema = env.COFFER_MODE === 'production' ? production : sandbox
  const variables = Object.entries(schema.shape).map(([key, field]) => [key, String(field.meta()?.variable)] as const)
  const values = resolveSecretFiles(env)
  const read = schema.safeParse(Object.fromEntries(variables.map(([key, name]) => [key, values[name] || undefined])))
  const names = new Map<PropertyKey | undefined, string>(variables)
  const wrong = (read.error?.issues ?? []).map(({ path, message }) => `${names.get(path[0])} ${message}`)
  // The sandbox also has variables of its own, of tests and of examples.
  const unknown = schema === production ? unknownSettings(env, [...names.values(), ...others]) : []
  if (!read.success || unknown.length > 0) throw new ConfigProblem([...wrong, ...unknown].join('\n'))
  const { xpubEvm: _, ...settings } = read.data
  const dataDir = resolve(settings.dataDir)
  const operatorPort = settings.operatorPort || (settings.mode === 'sandbox' ? settings.port + 1 : 0)
  return {
    ...settings,
    dataDir,
    operatorPort,
    publicUrl: settings.publicUrl || `http://localhost:${settings.port}`,
    operatorUrl: settings.operatorUrl || `http://localhost:${operatorPort}`,
    chainsFile: settings.chainsFile || join(dataDir, 'chains.json'),
    xpubs: Object.fromEntries(chainKindNames.map(kind => [kind, env[xpubVariable(kind)] ?? ''])),
  }
}

/** Returns the environment with each secret that a file holds, as `<name>_FILE` names it, under its own name. */
export function resolveSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values = { ...env }
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]
    if (file) values[name] = readSecret(`${name}_FILE`, file)
  }
  return values
}

function readSecret(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigProblem(`${variable} cannot be read: ${(error as Error).message}`)
  }
}

/** Names each COFFER_ variable that is not a setting, with the nearest one that is. */
const unknownSettings = (env: NodeJS.ProcessEnv, known: string[]): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith('COFFER_') && env[name] && !known.includes(name))
    .sort()
    .map(name => {
      const [nearest] = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))
      return `${name} is not a setting: the nearest is ${nearest}; correct or unset it`
    })

/** The number of characters to insert, delete or replace to make one text of another (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
