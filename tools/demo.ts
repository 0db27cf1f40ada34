/**
 * `npm run demo`: fills an empty sandbox with the last months of a busy shop, or the last days with `-- --days 14`, and
 * prints how to sign in.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startAnvil } from '@coffer/local/anvil.ts'
import { lockFolder } from '@coffer/local/lock.ts'
import { startPostgres } from '@coffer/local/postgres.ts'
import { OperatorProblem } from '@coffer/local/problem.ts'
import { readConfig } from '@coffer/server/config.ts'
import { runDemo } from '@coffer/server/sandbox/demo/run.ts'
import { demoLogin } from '@coffer/server/sandbox/demo/shop.ts'
import { chainsBegan } from './chains-began.ts'

const dataDir = resolve(process.env.COFFER_DATA ?? '.coffer')
const parts: { stop: () => Promise<void> }[] = []
const stopAll = async () => {
  for (const part of parts.splice(0).reverse()) await part.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopAll().then(() => process.exit(1)))

async function main(): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await lockFolder(dataDir, 'sandbox')
  const own = async <T extends { stop: () => Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const part = await starting
    parts.push(part)
    return part
  }
  const chain = (chainId: number) =>
    own(startAnvil({ folder: `${dataDir}/chain-${chainId}`, chainId, genesisTime: chainsBegan(), keep: 'at exit' }))
  const database =
    process.env.DATABASE_URL ?? (await own(startPostgres({ dataDir, settings: { synchronous_commit: 'off' } }))).url
  const first = await chain(31337)
  const second = await chain(31338)
  process.env.COFFER_SANDBOX_CHAINS = `${first.url},${second.url}`
  const config = readConfig({ ...process.env, DATABASE_URL: database, COFFER_DATA: dataDir })
  const { values } = parseArgs({ options: { days: { type: 'string' } } })
  const days = values.days === undefined ? undefined : Number(values.days)
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 90))
    throw new OperatorProblem('--days takes a whole number from 1 to 90')
  let shown = -1
  const payments = await runDemo(
    config,
    done => {
      const percent = Math.floor(done * 10) * 10
      if (percent > shown) console.log(`${percent} % of the shop's history`)
      shown = Math.max(shown, percent)
    },
    days,
  )
  console.log(
    `The sandbox now has ${payments} payments. Run npm start and sign in as ${demoLogin.email} with the password ${demoLogin.password}.`,
  )
}

try {
  await main()
  await stopAll()
} catch (error) {
  await stopAll()
  process.stderr.write(
    `${error instanceof OperatorProblem ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
process.exit()
