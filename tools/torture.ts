/**
 * `npm run torture`: the whole of Coffer on real local chains behind nodes that fail and lie, killed again and again
 * under a stream of payments. Ends with figures, and not with 0 when one payment was lost, doubled or made up.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from './parts.ts'
import { type Outcome, torture } from './torture/run.ts'

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
})
const [payments, kills, seed] = [Number(values.payments), Number(values.kills), Number(values.seed)]

const dataDir = mkdtempSync(join(tmpdir(), 'coffer-torture-'))
let stop = async () => {}
let isLeaving = false
const leave = async (code: number) => {
  if (isLeaving) return
  isLeaving = true
  await stop().catch(() => {})
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))

const isWrong = (outcome: Outcome) =>
  outcome.lost +
    outcome.doubled +
    outcome.notOnChain +
    outcome.wrongStatus +
    outcome.paymentsTooMany +
    outcome.withoutCallback +
    outcome.outOfOrder +
    outcome.ledger +
    outcome.forged +
    outcome.stillUnderWay +
    outcome.surprises.length >
  0

try {
  await buildWeb()
  const began = Date.now()
  const outcome = await torture({
    payments,
    kills,
    seed,
    dataDir,
    tell: line => console.log(line),
    onStop: given => {
      stop = given
    },
  })
  for (const surprise of outcome.surprises) console.log(surprise)
  const { killed, faults, surprises: _, ...figures } = outcome
  console.log(`faults of the nodes: ${JSON.stringify(faults)}; killed: ${JSON.stringify(killed)}`)
  const seconds = Math.round((Date.now() - began) / 1000)
  const verdict = isWrong(outcome) ? 'WRONG' : 'right'
  console.log(
    `${verdict}: ${payments} payments, ${kills} kills, seed ${seed}, ${seconds} s, ${JSON.stringify(figures)}`,
  )
  await leave(isWrong(outcome) ? 1 : 0)
} catch (error) {
  if (!isLeaving) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  await leave(1)
}
