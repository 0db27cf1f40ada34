import { setTimeout as sleep } from 'node:timers/promises'
import { postgresUrl } from '@coffer/local/postgres.ts'
import pg from 'pg'
import { withSandbox } from '../e2e/sandbox.ts'
import { type Figure, postgresTime, processorMs, type Scope } from './figure.ts'
import { proportionalMb, serverOf } from './server.ts'

/** Time until jobs rest, and of a measurement (ms). */
const settleMs = 45_000
const restMs = 60_000
const limits = { percent: 1, megabytes: 180 }

/**
 * Processor time and memory of a server, its signer and its PostgreSQL while nobody calls: on chains without blocks,
 * and on two with a block a second. The local chains themselves are not counted.
 */
export async function rest(here: Scope): Promise<Figure[]> {
  const { data } = await withSandbox(here)
  const owner = new pg.Pool({ connectionString: postgresUrl(data), max: 1 })
  owner.on('error', () => {})
  here.after(() => owner.end())
  const server = serverOf(data)
  await sleep(settleMs)
  const quiet = await measured(server, owner)
  const mining = new AbortController()
  const mined = Promise.all(server.chains.map(chain => mineEverySecond(chain, mining.signal)))
  await sleep(10_000)
  const blocks = await measured(server, owner)
  mining.abort()
  await mined
  return [figureOf('without blocks', quiet), figureOf('two chains, a block a second', blocks)]
}

type Rest = Awaited<ReturnType<typeof measured>>

function figureOf(what: string, { server, signer, postgres, statements, memory }: Rest): Figure {
  const of = memory.map(each => each.toFixed(0))
  return {
    what: `server at rest, ${what}`,
    value: `${server.toFixed(2)} %`,
    comparison: `of a core, ${of[0]} MB; at most ${limits.percent} and ${limits.megabytes}; signer ${signer.toFixed(2)} %, ${of[1]} MB; PostgreSQL ${postgres.toFixed(2)} %, ${of[2]} MB; ${statements.toFixed(0)} transactions a second`,
    holds: server <= limits.percent && memory[0]! <= limits.megabytes,
  }
}

async function measured({ pid, signer }: ReturnType<typeof serverOf>, owner: pg.Pool) {
  const read = async () => {
    const { rows } = await owner.query(
      'select xact_commit::int as n from pg_stat_database where datname = current_database()',
    )
    return [processorMs(pid), processorMs(signer), (await postgresTime(owner)) / 1_000, Number(rows[0].n)] as const
  }
  const before = await read()
  await sleep(restMs)
  const after = await read()
  const [server, signers, postgres, count] = after.map((each, i) => each - before[i]!) as [
    number,
    number,
    number,
    number,
  ]
  const percent = (ms: number) => (ms / restMs) * 100
  const { rows } = await owner.query(`select pid from pg_stat_activity where pid <> pg_backend_pid()`)
  const postgresMb = rows.reduce((sum, each) => sum + proportionalMb(each.pid), 0)
  return {
    server: percent(server),
    signer: percent(signers),
    postgres: percent(postgres),
    statements: count / (restMs / 1_000),
    memory: [proportionalMb(pid), proportionalMb(signer), postgresMb],
  }
}

async function mineEverySecond(url: string, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  while (!signal.aborted) {
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    await sleep(1_000, undefined, { signal }).catch(() => {})
  }
}
