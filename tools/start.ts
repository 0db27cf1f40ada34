/**
 * `npm start`: the sandbox, or with COFFER_MODE=production the server alone.
 * Starts what the server stands on, then the server, says in one line where it is, and stops everything again.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { startAnvil } from '@coffer/local/anvil.ts'
import { lockFolder } from '@coffer/local/lock.ts'
import { checkPort } from '@coffer/local/ports.ts'
import { startPostgres } from '@coffer/local/postgres.ts'
import { folderProblem, Problem } from '@coffer/local/problem.ts'
import { ConfigProblem, readConfig } from '@coffer/server/config.ts'
import { chainsBegan } from './chains-began.ts'
import { buildWeb, endLeftServer, type Part, startServer } from './parts.ts'

/** What runs, in the order in which it may be stopped: the last started first. */
const running: Part[] = []
let stopping: Promise<void> | undefined

function stopAll(): Promise<void> {
  stopping ??= (async () => {
    // The server first, because it uses the others; these do not know each other.
    const [server, rest] = [running.filter(isServer), running.filter(part => !isServer(part))]
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

/** Adds a started part; when it ends by itself, everything ends. A part that got ready too late is stopped at once. */
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
    // In production the server's log is this very output.
    const where = process.env.COFFER_MODE === 'production' ? '' : `; its log is in ${dataDir}/log`
    process.stderr.write(`${name} ended unexpectedly (${signal ?? `exit code ${code}`})${where}\n`)
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
  // Two starts at once would share the chains even where they do not share the database.
  await lockFolder(dataDir, 'sandbox')
  await endLeftServer(dataDir)
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
  const env = { DATABASE_URL: database, COFFER_SANDBOX_CHAINS: chains, COFFER_DATA: dataDir }
  const { url } = await own('server', startServer({ env, dataDir }))
  return `Coffer is ready at ${url} (sandbox: ${url}/sandbox; "Continue with Sandbox" takes any e-mail, and so does "Create account": its code is in the sandbox inbox)`
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
// The channel closes when the process that runs us was killed.
if (process.channel) process.on('disconnect', () => stopAndExit(0))

try {
  const isProduction = process.env.COFFER_MODE === 'production'
  const config = readConfig(isProduction ? process.env : { DATABASE_URL: 'postgres://to-be-started', ...process.env })
  const line = await (isProduction ? startProduction(config) : startSandbox(config))
  if (!stopping) console.log(line)
} catch (error) {
  if (!stopping) {
    const isKnown = error instanceof Problem || error instanceof ConfigProblem
    process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : error}\n`)
    await stopAndExit(1)
  }
}
