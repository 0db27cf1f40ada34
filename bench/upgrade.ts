import { setTimeout as sleep } from 'node:timers/promises'
import { appRoleConnectionOptions } from '@coffer/server/migrations/app-role.ts'
import { migrate, readSteps } from '@coffer/server/migrations/migrate.ts'
import type { LaterPart, MigrationStep } from '@coffer/server/migrations/online-step.ts'
import { makeStep } from '@coffer/server/testing/make-step.ts'
import pg from 'pg'
import { type Figure, percentile, type Scope } from './figure.ts'
import { fillPayments, paymentsOf } from './fill-payments.ts'
import { ownPostgres } from './own-postgres.ts'

/** How long a write may take while the schema changes (ms). */
const limitMs = 1_000
const writers = 4
/** Seconds of writes with nothing beside them, for comparison. */
const quietSeconds = 20
const settings = { max_wal_size: '4GB', shared_buffers: '2GB' }

/** One step of each kind that an upgrade may have, on the table of payments. */
const note = "note = 'payment ' || trade_no"
/** Rows that are filled: more take longer and keep nobody waiting for longer. */
const filledMost = 60_000
const steps: Record<string, MigrationStep> = {
  '9001_column': makeStep(`alter table payments add column note text not null default '';
    alter table payments add constraint payments_note_short check (length(note) < 200) not valid`),
  '9002_index': onlyLater({
    kind: 'index',
    name: 'payments_bench',
    table: 'payments',
    definition: '(appid, expire_at)',
  }),
  '9003_check': onlyLater({ kind: 'validate', table: 'payments', constraint: 'payments_note_short' }),
  '9004_fill': onlyLater({
    kind: 'fill',
    table: 'payments',
    set: note,
    where: `note = '' and trade_no < lpad('${filledMost}', 32, '0')`,
  }),
}

function onlyLater(part: LaterPart): MigrationStep {
  return { up: async () => {}, later: [part] }
}

/**
 * Longest time that a write to a table of many payments takes while each kind of step runs. With `existing` the folder
 * is reused and stays, else it is removed at the end.
 */
export async function upgrade(here: Scope, payments: number, existing?: string): Promise<Figure[]> {
  const { url } = await ownPostgres(here, { existing, settings })
  await migrate(url)
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  owner.on('error', () => {})
  here.after(() => owner.end())
  await fillPayments(owner, payments)
  const shop = await startWriters(here, url, payments)
  await sleep(quietSeconds * 1_000)
  const figures = [shop.figure('a write with nothing beside it', false)]
  const ours = await readSteps()
  for (const name of Object.keys(steps)) {
    const known = Object.entries(steps).filter(([each]) => each <= name)
    const began = performance.now()
    await migrate(url, undefined, { steps: { ...ours, ...Object.fromEntries(known) } })
    const seconds = ((performance.now() - began) / 1_000).toFixed(0)
    figures.push(shop.figure(`a write during ${name.slice(5)}, which took ${seconds} s`, true))
  }
  return figures
}

const longestOf = (durations: number[]) => durations.reduce((most, each) => Math.max(most, each), 0)

/** Connections that add and change payments without a pause, and how long each of their writes takes. */
async function startWriters(here: Scope, url: string, payments: number) {
  let durations: number[] = []
  let isOpen = true
  // Not those of a run before, whose folder was kept.
  let next = payments + Math.floor(Date.now() / 1_000)
  const write = async (client: pg.Client) => {
    while (isOpen) {
      const began = performance.now()
      const old = Math.floor(Math.random() * payments)
      if (Math.random() < 0.5) await client.query(paymentsOf(`(values (${next++}::bigint)) as new (n)`))
      else
        await client.query(`update payments set events = events + 1 where merchant_id = $1 and trade_no = $2`, [
          `o${1 + (old % 199)}`,
          String(old).padStart(32, '0'),
        ])
      durations.push(performance.now() - began)
      await sleep(5)
    }
  }
  const clients = Array.from(
    { length: writers },
    () => new pg.Client({ connectionString: url, options: appRoleConnectionOptions }),
  )
  await Promise.all(clients.map(each => each.connect()))
  const running = clients.map(write)
  // A step may take many minutes.
  const progress = setInterval(() => {
    process.stderr.write(`  (so far ${durations.length} writes, the longest ${longestOf(durations).toFixed(0)} ms)\n`)
  }, 30_000)
  here.after(() => clearInterval(progress))
  here.after(async () => {
    isOpen = false
    await Promise.all(running)
    await Promise.all(clients.map(each => each.end()))
  })
  return {
    figure(what: string, isLimited: boolean): Figure {
      const done = durations
      durations = []
      const longest = longestOf(done)
      process.stderr.write(`  (${what}: ${longest.toFixed(0)} ms)\n`)
      const others = `of ${done.length}, 99% within ${percentile(done).toFixed(0)} ms`
      return {
        what,
        value: `${longest.toFixed(0)} ms`,
        comparison: isLimited ? `at most ${limitMs} ms, ${others}` : others,
        ...(isLimited && { holds: longest < limitMs }),
      }
    },
  }
}
