import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ChainKind, kindNames } from '@coffer/chains'
import { isUrl } from '@coffer/contract/validators.ts'

/** Everything an operator may set, read once at the start. Names of environment variables stand beside each. */
export interface Config {
  /** `COFFER_MODE`: the sandbox is what runs without any configuration. */
  mode: 'sandbox' | 'production'
  /** `COFFER_DATA`: where the sandbox keeps its database and chains, and every mode its signer socket. */
  dataDir: string
  /** `COFFER_HOST`, `COFFER_PORT`. */
  host: string
  port: number
  /** `COFFER_PUBLIC_URL`: what payers and merchants type; links and the sign-in use it. No slash at the end. */
  publicUrl: string
  /** `DATABASE_URL`. */
  databaseUrl: string
  /** `COFFER_SECRET` (or `COFFER_SECRET_FILE`): at least 32 characters; seals what must be read back, such as webhook secrets. */
  secret: string
  /** `COFFER_TRUST_PROXY`: how many reverse proxies stand in front (0 to 5). */
  trustProxy: number
  /** `COFFER_SMTP_URL`, `COFFER_MAIL_FROM`. */
  smtpUrl: string
  mailFrom: string
  /** `COFFER_SMS_URL`: a service that takes POST {to, text}. */
  smsUrl: string
  /** `COFFER_GOOGLE_CLIENT_ID`, `COFFER_GOOGLE_CLIENT_SECRET`. */
  googleClientId: string
  googleClientSecret: string
  /** `COFFER_CHAINS`: path of a JSON file with chains, nodes and tokens. */
  chainsFile: string
  /** Extended public key of each kind of chain (`xpubVariable`), as `coffer signer init` prints it; empty when not set. */
  xpubs: Partial<Record<ChainKind, string>>
  /** `COFFER_FEE_PERMILLE`: our fee on each payment, in thousandths. */
  feePermille: number
  /** `COFFER_LOG`: pino level. */
  logLevel: string
}

/** A configuration that cannot run, told in one line an operator can act on. */
export class ConfigProblem extends Error {}

const sandboxSecret = 'sandbox-only-secret-that-protects-nothing'
/** The variable with the extended public key (BIP-32) of a kind of chain. */
export const xpubVariable = (kind: ChainKind) => `COFFER_XPUB_${kind.toUpperCase()}`
/** What every production sets and no sandbox uses. */
const ofProduction = ['COFFER_SMTP_URL', 'COFFER_XPUB_EVM']

/** Reads the configuration from an environment. Throws ConfigProblem on a value that is missing or out of bounds. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const mode = env.COFFER_MODE ?? 'sandbox'
  if (mode !== 'sandbox' && mode !== 'production')
    throw new ConfigProblem(`COFFER_MODE is "${mode}": use sandbox or production`)
  const meant = mode === 'sandbox' && ofProduction.find(name => env[name])
  // The sandbox shows everybody's codes and believes whoever signs in: never on a database that production uses.
  if (meant) throw new ConfigProblem(`${meant} is set, but COFFER_MODE is not production: set it, or unset ${meant}`)
  const port = whole(env, 'COFFER_PORT', 8080, 1, 65_535)
  const dataDir = resolve(env.COFFER_DATA ?? '.coffer')
  const needed = (name: string) => {
    const value = env[name]
    if (!value && mode === 'production') throw new ConfigProblem(`${name} is not set: production needs it`)
    return value ?? ''
  }
  const secret = env.COFFER_SECRET_FILE ? readFileSync(env.COFFER_SECRET_FILE, 'utf8').trim() : needed('COFFER_SECRET')
  if (mode === 'production' && secret.length < 32)
    throw new ConfigProblem('COFFER_SECRET is too short: use at least 32 random characters')
  if (mode === 'production' && (secret === sandboxSecret || new Set(secret).size < 10))
    throw new ConfigProblem('COFFER_SECRET can be guessed: use at least 32 random characters')
  const databaseUrl = needed('DATABASE_URL')
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new ConfigProblem('DATABASE_URL is not an address: use postgres://user:password@host:5432/database')
  const smtpUrl = needed('COFFER_SMTP_URL')
  if (smtpUrl && !(/^smtps?:\/\//.test(smtpUrl) && URL.canParse(smtpUrl)))
    throw new ConfigProblem('COFFER_SMTP_URL is not an address: use smtps://user:password@host, signs in it as in URLs')
  const publicUrl = (needed('COFFER_PUBLIC_URL') || `http://127.0.0.1:${port}`).replace(/\/+$/, '')
  if (!isUrl(publicUrl))
    throw new ConfigProblem('COFFER_PUBLIC_URL is not an address: use https://pay.your-host.example')
  if (mode === 'production' && !/^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/i.test(publicUrl))
    throw new ConfigProblem('COFFER_PUBLIC_URL is not https: passwords and keys would be read on the way')
  needed('COFFER_XPUB_EVM')
  return {
    mode,
    dataDir,
    host: env.COFFER_HOST ?? '127.0.0.1',
    port,
    publicUrl,
    databaseUrl,
    secret: secret || sandboxSecret,
    trustProxy: whole(env, 'COFFER_TRUST_PROXY', 0, 0, 5),
    smtpUrl,
    mailFrom: env.COFFER_MAIL_FROM ?? 'Coffer <no-reply@localhost>',
    smsUrl: env.COFFER_SMS_URL ?? '',
    googleClientId: env.COFFER_GOOGLE_CLIENT_ID ?? '',
    googleClientSecret: env.COFFER_GOOGLE_CLIENT_SECRET ?? '',
    chainsFile: env.COFFER_CHAINS ?? join(dataDir, 'chains.json'),
    xpubs: Object.fromEntries(kindNames.map(kind => [kind, env[xpubVariable(kind)] ?? ''])),
    feePermille: whole(env, 'COFFER_FEE_PERMILLE', 4, 0, 100),
    logLevel: env.COFFER_LOG ?? (mode === 'sandbox' ? 'warn' : 'info'),
  }
}

function whole(env: NodeJS.ProcessEnv, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new ConfigProblem(`${name} is "${text}": use a whole number from ${min} to ${max}`)
  return value
}
