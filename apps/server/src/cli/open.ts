import { postgresUrl } from '@coffer/local/postgres.ts'
import { ConfigProblem, readConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { makeDeps } from '../make-deps.ts'
import { smtpMailer } from '../outside/mail.ts'
import { smsMessenger } from '../outside/text-message.ts'

/**
 * Opens the dependencies of the command line: the server's database and mail, no chains. In the sandbox mails are
 * dropped, because its inbox lives in the server's memory; notifications still arrive.
 * @throws ConfigProblem when no database is configured
 */
export function openDeps(env: NodeJS.ProcessEnv): { deps: Deps; close: () => Promise<void> } {
  const sandbox = (env.COFFER_MODE ?? 'sandbox') === 'sandbox'
  const databaseUrl = env.DATABASE_URL ?? (sandbox ? postgresUrl(env.COFFER_DATA ?? '.coffer') : undefined)
  if (sandbox && databaseUrl === undefined)
    throw new ConfigProblem('There is no sandbox here: run npm start first, or set DATABASE_URL or COFFER_DATA')
  // The command reports what it did, and failures.
  const quiet = { COFFER_LOG: 'silent', ...env }
  const config = readConfig(databaseUrl === undefined ? quiet : { ...quiet, DATABASE_URL: databaseUrl })
  const deps = makeDeps(config, {
    mail: sandbox ? { send: async () => {}, check: async () => {} } : smtpMailer(config),
    text: smsMessenger(''),
    signIn: null,
    priceSources: [],
    chains: [],
    xpubs: config.xpubs,
  })
  return {
    deps,
    async close() {
      await Promise.all([deps.live.stop(), deps.prices.stop()])
      await deps.pool.end()
    },
  }
}
