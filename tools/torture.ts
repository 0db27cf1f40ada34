/**
 * `npm run torture`: runs all of Coffer on local chains behind faulty nodes, and repeatedly kills its processes during
 * a stream of payments. Prints the figures, and exits with 1 when a payment, a withdrawal or a refund was lost,
 * duplicated or invented. With `--cluster` the database is three PostgreSQL that fail over, of the files in
 * `ops/cluster`, below two servers.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from './parts.ts'
import { type ClusterPlatform, startClusterPlatform } from './torture/cluster/platform.ts'
import { type Outcome, torture } from './torture/run.ts'

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '5000' },
    withdrawals: { type: 'string' },
    refunds: { type: 'string' },
    sweeps: { type: 'string' },
    kills: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    orders: { type: 'string' },
    faults: { type: 'string' },
    fault: { type: 'string', default: '' },
    pooler: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    liar: { type: 'boolean', default: false },
  },
})
const payments = Number(values.orders ?? values.payments)
const withdrawals = Number(values.withdrawals ?? (values.cluster ? payments / 5 : 2_000))
const refunds = Number(values.refunds ?? Math.floor(withdrawals / 2))
const sweeps = Number(values.sweeps ?? Math.floor(payments / 10))
const kills = Number(values.faults ?? values.kills ?? (values.cluster ? 50 : 200))
/** How long orders may not be taken after a fault of the cluster (s). */
const limitSeconds = 30
let cluster: ClusterPlatform | undefined
const seed = Number(values.seed)

const dataDir = mkdtempSync(join(tmpdir(), 'coffer-torture-'))
let stop = async () => {}
let isLeaving = false
const leave = async (code: number) => {
  if (isLeaving) return
  isLeaving = true
  await stop().catch(() => {})
  if (values.cluster && code === 1) console.log(`kept: ${dataDir}`)
  else rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))

const isFailure = (outcome: Outcome) =>
  outcome.lost +
    outcome.doubled +
    outcome.notOnChain +
    outcome.wrongStatus +
    outcome.paymentsTooMany +
    outcome.withoutCallback +
    outcome.outOfOrder +
    outcome.ledger +
    outcome.forged +
    outcome.pending +
    outcome.unpaid +
    outcome.paidTwice +
    outcome.stuck +
    outcome.unfinished +
    outcome.differ +
    outcome.surprises.length +
    outcome.silent +
    outcome.unlisted +
    (cluster?.struck.filter(each => each.seconds > limitSeconds).length ?? 0) +
    Math.max(0, sweeps - outcome.sweeps) >
  0

try {
  await buildWeb()
  const began = Date.now()
  const outcome = await torture({
    payments,
    withdrawals,
    refunds,
    sweeps,
    kills,
    seed,
    isLiedTo: values.liar,
    ...(values.cluster && {
      start: async (folder: string, random: () => number) => {
        cluster = await startClusterPlatform(folder, { only: values.fault, withPooler: values.pooler, random })
        return cluster
      },
    }),
    dataDir,
    log: line => console.log(line),
    onStop: given => {
      stop = given
    },
  })
  for (const surprise of outcome.surprises) console.log(surprise)
  for (const { fault, seconds } of cluster?.struck ?? []) console.log(`${fault}: orders taken again after ${seconds} s`)
  if (cluster) console.log(`lines of the servers' logs: ${JSON.stringify(cluster.readLog(), null, 1)}`)
  const { killed, faults, surprises: _, ...figures } = outcome
  console.log(`node faults: ${JSON.stringify(faults)}; killed: ${JSON.stringify(killed)}`)
  const seconds = Math.round((Date.now() - began) / 1000)
  const verdict = isFailure(outcome) ? 'FAILED' : 'passed'
  console.log(
    `${verdict}: ${payments} payments, ${withdrawals} withdrawals, ${refunds} refunds, ${sweeps} sweeps, ${kills} kills, seed ${seed}, ${seconds} s, ${JSON.stringify(figures)}`,
  )
  await leave(isFailure(outcome) ? 1 : 0)
} catch (error) {
  if (!isLeaving) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  await leave(1)
}
