import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ChainKind, kindNames } from '@coffer/chains'
import { isUrl } from '@coffer/contract/validators.ts'
import { z } from 'zod'

/** A configuration that cannot run, told in lines an operator can act on, one for each problem. */
export class ConfigProblem extends Error {}

const sandboxSecret = 'sandbox-only-secret-that-protects-nothing'

/** The variable with the extended public key (BIP-32) of a kind of chain. */
export const xpubVariable = (kind: ChainKind) => `COFFER_XPUB_${kind.toUpperCase()}`

/** A setting with the environment variable it is read from. */
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
const address = needed
  .transform(value => value.replace(/\/+$/, ''))
  .refine(isUrl, { error: 'is not an address: use https://pay.your-host.example', abort: true })
/** On this machine http will do. */
const isHttps = (url: string) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(url)
const database = needed.refine(
  url => /^postgres(ql)?:\/\//.test(url),
  'is not an address: use postgres://user:password@host:5432/database',
)
const smtp = needed.refine(
  url => /^smtps?:\/\//.test(url) && URL.canParse(url),
  'is not an address: use smtps://user:password@host, signs in it as in URLs',
)
const secret = needed
  .min(32, { error: 'is too short: use at least 32 random characters', abort: true })
  .refine(
    text => text !== sandboxSecret && new Set(text).size >= 10,
    'can be guessed: use at least 32 random characters',
  )
const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')

/** Everything an operator may set in production. */
const production = z.object({
  /** The sandbox is what runs without any configuration. */
  mode: from('COFFER_MODE', oneOf('sandbox', 'production').default('sandbox')),
  /** Where the sandbox keeps its database and chains, and every mode its signer socket. */
  dataDir: from('COFFER_DATA', optional('.coffer')),
  host: from('COFFER_HOST', optional('127.0.0.1')),
  port: from('COFFER_PORT', whole(8080, 1, 65_535)),
  /** What payers and merchants type; links and the sign-in use it. No slash at the end. */
  publicUrl: from(
    'COFFER_PUBLIC_URL',
    address.refine(isHttps, 'is not https: passwords and keys would be read on the way'),
  ),
  databaseUrl: from('DATABASE_URL', database),
  /** Seals what must be read back, such as webhook secrets. `COFFER_SECRET_FILE` names a file that holds it. */
  secret: from('COFFER_SECRET', secret),
  /** How many reverse proxies stand in front. */
  trustProxy: from('COFFER_TRUST_PROXY', whole(0, 0, 5)),
  smtpUrl: from('COFFER_SMTP_URL', smtp),
  mailFrom: from('COFFER_MAIL_FROM', optional('Coffer <no-reply@localhost>')),
  /** A service that takes POST {to, text}. */
  smsUrl: from('COFFER_SMS_URL', optional()),
  googleClientId: from('COFFER_GOOGLE_CLIENT_ID', optional()),
  googleClientSecret: from('COFFER_GOOGLE_CLIENT_SECRET', optional()),
  /** Path of a JSON file with chains, nodes and tokens. */
  chainsFile: from('COFFER_CHAINS', optional()),
  xpubEvm: from('COFFER_XPUB_EVM', needed),
  /** Our fee on each payment, in thousandths. */
  feePermille: from('COFFER_FEE_PERMILLE', whole(4, 0, 100)),
  /** Whether callbacks may go to http addresses, where anybody on the way reads them. The sandbox always allows it. */
  callbackHttp: from('COFFER_CALLBACK_HTTP', oneOf('refuse', 'allow').default('refuse')),
  logLevel: from('COFFER_LOG', logLevel.default('info')),
})

/**
 * The sandbox shows everybody's codes and believes whoever signs in: it must not start where production was meant, so
 * what every production sets is refused.
 */
const sandbox = production.extend({
  publicUrl: from('COFFER_PUBLIC_URL', address.default('')),
  databaseUrl: from('DATABASE_URL', database.default('')),
  secret: from('COFFER_SECRET', optional(sandboxSecret)),
  smtpUrl: from('COFFER_SMTP_URL', unused),
  callbackHttp: from('COFFER_CALLBACK_HTTP', oneOf('refuse', 'allow').default('allow')),
  xpubEvm: from('COFFER_XPUB_EVM', unused),
  logLevel: from('COFFER_LOG', logLevel.default('warn')),
})

/** Everything an operator may set, read once at the start. */
export type Config = Omit<z.output<typeof production>, 'xpubEvm'> & {
  /** Extended public key of each kind of chain, as `coffer signer init` prints it; empty when not set. */
  xpubs: Partial<Record<ChainKind, string>>
}

/**
 * Reads the configuration from an environment, in which an empty variable counts as not set. Throws ConfigProblem with
 * every value that is missing or out of bounds.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const schema = env.COFFER_MODE === 'production' ? production : sandbox
  const variables = Object.entries(schema.shape).map(([key, field]) => [key, String(field.meta()?.variable)] as const)
  const file = env.COFFER_SECRET_FILE
  const values: NodeJS.ProcessEnv = { ...env, ...(file && { COFFER_SECRET: readSecret(file) }) }
  const read = schema.safeParse(Object.fromEntries(variables.map(([key, name]) => [key, values[name] || undefined])))
  if (!read.success) {
    const names = new Map<PropertyKey | undefined, string>(variables)
    throw new ConfigProblem(read.error.issues.map(({ path, message }) => `${names.get(path[0])} ${message}`).join('\n'))
  }
  const { xpubEvm: _, ...settings } = read.data
  const dataDir = resolve(settings.dataDir)
  return {
    ...settings,
    dataDir,
    publicUrl: settings.publicUrl || `http://127.0.0.1:${settings.port}`,
    chainsFile: settings.chainsFile || join(dataDir, 'chains.json'),
    xpubs: Object.fromEntries(kindNames.map(kind => [kind, env[xpubVariable(kind)] ?? ''])),
  }
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigProblem(`COFFER_SECRET_FILE cannot be read: ${(error as Error).message}`)
  }
}
