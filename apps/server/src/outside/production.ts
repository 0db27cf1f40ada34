import pg from 'pg'
import { type Config, ConfigProblem, xpubVariable } from '../config.ts'
import { readChainsFile } from './chains-file.ts'
import { smtpMailer } from './mail.ts'
import { priceSources, sourcesAt } from './prices/sources.ts'
import { smsMessengers } from './text-message.ts'
import { googleSignIn } from './third-party-sign-in.ts'
import type { ExternalServices } from './world.ts'

const thisMachine = /^(?:localhost|127(?:\.\d+){3}|::1)$/

/**
 * Whether nobody between this process and the database can read: a socket, this machine, or TLS, which node-postgres
 * verifies.
 */
function isDatabasePrivate(databaseUrl: string): boolean {
  // As node-postgres reads it: addresses of sockets have no host that a URL could have.
  const host = new pg.Client({ connectionString: databaseUrl }).host.replace(/^\[|\]$/g, '')
  if (host.startsWith('/') || thisMachine.test(host)) return true
  const [, query] = databaseUrl.split('?')
  return ['require', 'verify-ca', 'verify-full'].includes(new URLSearchParams(query).get('sslmode') ?? '')
}

/**
 * The external services of production, as configured.
 * @throws ConfigProblem when a required setting is missing, or when connections to other machines would have no TLS
 */
export async function makeExternalServices(config: Config): Promise<ExternalServices> {
  if (config.trustProxy === 0 && !thisMachine.test(config.host))
    throw new ConfigProblem(
      `COFFER_HOST is ${config.host}, but COFFER_TRUST_PROXY is 0: passwords and keys would be read on the way. Put a proxy with TLS in front and set COFFER_TRUST_PROXY=1`,
    )
  const { databaseUrl, databaseReadUrl } = config
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, DATABASE_READ_URL: databaseReadUrl }))
    if (url && config.databasePlain === 'refuse' && !isDatabasePrivate(url))
      throw new ConfigProblem(
        `${name} names another machine without TLS: add ?sslmode=verify-full to it. COFFER_DATABASE_PLAIN=allow lets it go without, such as in a container network of one host`,
      )
  const chains = await readChainsFile(config.chainsFile)
  const keyless = chains.find(({ definition }) => !config.xpubs[definition.kind])?.definition
  if (keyless) throw new ConfigProblem(`${xpubVariable(keyless.kind)} is not set: ${keyless.name} is configured`)
  return {
    mail: smtpMailer(config),
    text: smsMessengers(config),
    signIn: config.googleClientId ? await googleSignIn(config) : null,
    priceSources: priceSources(sourcesAt(config.pricesUrl)),
    chains,
    xpubs: config.xpubs,
  }
}
