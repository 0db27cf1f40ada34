/**
 * `npm start`: starts the sandbox, or with COFFER_MODE=production the server alone. Prints the URL once it is ready,
 * and stops everything on a signal.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startAnvil } from '@coffer/local/anvil.ts'
import { lockFolder } from '@coffer/local/lock.ts'
import { checkPort } from '@coffer/local/ports.ts'
import { startPostgres } from '@coffer/local/postgres.ts'
import { errorCode, folderProblem, OperatorProblem } from '@coffer/local/problem.ts'
import { ConfigProblem, readConfig } from '@coffer/server/config.ts'
import { deriveTestWebhookSecret, testLoginCredentials } from '@coffer/server/sandbox/test-login-credentials.ts'
import { chainsBegan } from './chains-began.ts'
import { buildWeb, endOrphanedServer, type Part, startServer } from './parts.ts'

/** The running parts. */
const running: Part[] = []
let stopping: Promise<void> | undefined

function stopAll(): Promise<void> {
  stopping ??= (async () => {
    // The server first, because it uses the others, which are independent of each other.
    const server = running.filter(isServer)
    const rest = running.filter(part => !isServer(part))
    for (const parts of [server, rest]) await Promise.allSettled(parts.map(part => part.stop()))
  })()
  return stopping
}

type Listen = { port: number; host: string }

const isServer = (part: Part) => part.name === 'server'

async function stopAndExit(code: number): Promise<void> {
  await stopAll()
  process.exit(code)
}

/**
 * Registers a part once it has started, or stops it when stopping has begun. If a part exits by itself, all are
 * stopped.
 */
async function own<T extends Omit<Part, 'name'>>(name: string, starting: Promise<T>): Promise<T> {
  const part = await starting
  if (stopping) {
    await stopping
    await part.stop()
    return part
  }
  running.push({ name, ended: part.ended, stop: part.stop })
  part.ended.then(({ code, signal }) => {
    if (stopping) return
    // In production the server logs to this output.
    const where = process.env.COFFER_MODE === 'production' ? '' : `; its log is in ${dataDir}/log`
    process.stderr.write(`${name} exited unexpectedly (${signal ?? `exit code ${code}`})${where}\n`)
    stopAndExit(1)
  })
  return part
}

async function startSandbox({ port, host }: Listen): Promise<string> {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw folderProblem(error, dataDir)
  }
  const key = sandboxKey(dataDir)
  // Concurrent starts would share the chains even with different databases.
  await lockFolder(dataDir, 'sandbox')
  await endOrphanedServer(dataDir)
  await checkPort(port, host, 'COFFER_PORT')
  const chain = (chainId: number) =>
    own(
      `chain ${chainId}`,
      startAnvil({ folder: `${dataDir}/chain-${chainId}`, chainId, genesisTime: chainsBegan(), log }),
    )
  const [database, first, second] = await Promise.all([
    process.env.DATABASE_URL ?? own('PostgreSQL', startPostgres({ dataDir })).then(postgres => postgres.url),
    chain(31337),
    chain(31338),
    buildWeb(),
  ])
  const chains = `${first.url},${second.url}`
  const env = {
    DATABASE_URL: database,
    COFFER_SANDBOX_CHAINS: chains,
    COFFER_SANDBOX_KEY: key,
    COFFER_DATA: dataDir,
  }
  const { url } = await own('server', startServer({ env, dataDir }))
  const { data } = (await (await fetch(`${url}/sandbox/account-key`)).json()) as { data: { xpub: string } }
  return `Coffer is ready at ${url} (sandbox: ${url}/sandbox; "Continue with Sandbox" takes any email, and so does "Create account": its code is in the sandbox inbox)
Test key: ${key} (webhook secret ${deriveTestWebhookSecret(key)}; its merchant signs in as ${testLoginCredentials.email} with the password ${testLoginCredentials.password})
Account key: ${data.xpub} (addresses derive from it: COFFER_XPUB_EVM of the SDK)`
}

/**
 * Returns the secret key that the sandbox makes ready: `COFFER_SANDBOX_KEY`, or one made at the first start and stored
 * in the data folder. Throws a Problem for a value that is not a test key.
 */
function sandboxKey(dataDir: string, given = process.env.COFFER_SANDBOX_KEY): string {
  if (given) {
    if (/^sk_test_[A-Za-z0-9_-]{20,92}$/.test(given)) return given
    throw new OperatorProblem(
      'COFFER_SANDBOX_KEY is no test key: use sk_test_ followed by 20 to 92 letters, digits, - or _',
    )
  }
  const path = join(dataDir, 'sandbox-key')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const key = `sk_test_${randomBytes(32).toString('base64url')}`
    writeFileSync(path, `${key}\n`, { mode: 0o600 })
    return key
  }
}

async function startProduction({ port, host }: Listen): Promise<string> {
  await checkPort(port, host, 'COFFER_PORT')
  await buildWeb()
  const { url } = await own('server', startServer({ env: {}, dataDir: undefined }))
  return `Coffer is ready at ${url}`
}

const log = (line: string) => process.stderr.write(`${line}\n`)
const dataDir = resolve(process.env.COFFER_DATA ?? '.coffer')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopAndExit(0))
// The IPC channel closes when the parent process is killed.
if (process.channel) process.on('disconnect', () => stopAndExit(0))

try {
  const isProduction = process.env.COFFER_MODE === 'production'
  const config = readConfig(isProduction ? process.env : { DATABASE_URL: 'postgres://to-be-started', ...process.env })
  const line = await (isProduction ? startProduction(config) : startSandbox(config))
  if (!stopping) console.log(line)
} catch (error) {
  if (!stopping) {
    const isKnown = error instanceof OperatorProblem || error instanceof ConfigProblem
    process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : error}\n`)
    await stopAndExit(1)
  }
}
