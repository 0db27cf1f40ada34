import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@coffer/local/testing/until.ts'
import { beatDatabase } from '@coffer/server/domains/installation/hold-copy.ts'
import { updateDatabaseMetrics } from '@coffer/server/domains/installation/metrics.ts'
import { registry } from '@coffer/server/kit/metrics.ts'
import { settle } from '@coffer/server/testing/payout-world.ts'
import type { DatabaseMachine } from '../torture/cluster/database.ts'
import { type ArchivedCluster, runOn, startArchivedCluster } from './archived-cluster.ts'
import { judgeEncryption } from './encryption.ts'
import type { DrillFigure, DrillPart } from './part.ts'
import { figure, openShop, reopen, type Shop, startWatch, verifyRecovery } from './recovery.ts'

/** A failover, a switchover, a mistake, and a recovery to just before it, of three members under Patroni. */
export const clusterDrill: DrillPart = {
  what: 'a cluster that fails over is encrypted, archived by whoever is primary, and recovered to the second',
  async run(drill) {
    const site = await startArchivedCluster(drill)
    const { cluster, primary } = site
    process.env.COFFER_TEST_PG = site.url
    const encryption = await judgeEncryption(site)
    const shop = await openShop(drill)
    const { w } = shop
    const till = startTill(shop)
    drill.after(till.close)
    const { took, timed } = startWatch(drill)
    const early = await w.ask()
    await settle(w)

    const source = await primary()
    await timed('full backup', () => source.run('pgbackrest', '--stanza=coffer', '--type=full', 'backup'))
    await till.take(20)
    // A moment within the second in which the backup ended has none before it.
    await sleep(1_100)
    const { rows: earlier } = await w.deps.owner.query('select clock_timestamp()::text as now')
    await sleep(1_100)
    await timed('failover', () => failOver(site, source, till))
    await till.take(20)
    await timed('switchover', async () => {
      await cluster.switchover()
      await cluster.untilWhole(120)
    })
    await till.take(20)
    const queued = await w.ask()
    await beatDatabase(shop.deps)
    const before = [...till.confirmed]
    const { rows } = await w.deps.owner.query('select clock_timestamp()::text as now')
    const timeline = (await cluster.members()).find(each => each.role === 'leader')?.timeline
    drill.log(`recovery point: ${rows[0].now}, timeline ${timeline}, ${before.length} orders, 1 payout paid and 1 due`)
    // What is confirmed in the same instant might be on either side.
    await sleep(1_100)
    const taken = till.confirmed.length
    await till.take(5)
    await till.close()
    const lost = till.confirmed.slice(taken)
    await settle(w)
    await beatDatabase(shop.deps)
    await w.deps.owner.query('drop table callbacks cascade; delete from ledger_postings')
    drill.log('the mistake: a table dropped, all postings deleted')

    await timed('restore', () =>
      recover(site, source, {
        database: new URL(w.deps.url).pathname.slice(1),
        early: earlier[0].now,
        target: rows[0].now,
        enough: before.length,
      }),
    )
    const reopened = await reopen(drill, shop)
    const found = await verifyRecovery({ shop: reopened, before, lost, early, queued, took })
    return [...encryption, ...found, ...(await judgeRest(site, reopened))]
  },
}

/** The cluster is whole after its recovery, archives and is backed up, and goes on without its repository. */
async function judgeRest(site: ArchivedCluster, shop: Shop): Promise<DrillFigure[]> {
  const { cluster } = site
  const members = await cluster.members()
  const timelines = new Set(members.map(each => each.timeline))
  const roles = members.map(each => each.role).sort()
  const till = startTill(shop)
  await till.take(20)
  for (const each of Object.values(cluster.machines)) await each.run('sh', '-c', backUpWherePrimary)
  const outage = await judgeOutage(site, shop, till)
  await till.close()
  const sets = JSON.parse(await (await site.primary()).run('pgbackrest', '--stanza=coffer', '--output=json', 'info'))
  const backups = sets[0].backup.map((each: { type: string }) => each.type).join(', ')
  return [
    figure('members', roles.join(', '), 'all three', roles.join() === 'leader,replica,sync_standby'),
    figure('timelines after two failovers and a recovery', [...timelines].join(), '4', [...timelines].join() === '4'),
    figure('orders after the release', String(till.confirmed.length), 'some', till.confirmed.length >= 20),
    figure('backups, of the primary of their time', backups, 'a figure', backups.startsWith('full, diff')),
    ...outage,
  ]
}

type Till = ReturnType<typeof startTill>

/** A till that orders without a pause, and keeps what was confirmed. */
function startTill({ w, deps, order }: Shop) {
  for (const pool of [deps.pool, w.deps.pool, w.deps.owner, ...Object.values(deps.pools)]) pool.on('error', () => {})
  const confirmed: string[] = []
  let isOpen = true
  let longest = 0
  let last = performance.now()
  const selling = (async () => {
    for (; isOpen; await sleep(20)) {
      const number = await order().catch(() => undefined)
      if (number === undefined) continue
      confirmed.push(number)
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
  })()
  return {
    confirmed,
    /** Longest time without a confirmed order (s). */
    longest: () => longest / 1_000,
    /** Waits until so many more are confirmed. */
    async take(count: number) {
      const enough = confirmed.length + count
      await until('orders are taken', () => confirmed.length >= enough)
    },
    async close() {
      isOpen = false
      await selling
    },
  }
}

/** Kills the machine of the primary; archiving must go on from the new one. */
async function failOver({ cluster, primary }: ArchivedCluster, machine: DatabaseMachine, till: Till): Promise<void> {
  machine.crash()
  await sleep(5_000)
  await till.take(5)
  machine.release()
  await cluster.untilWhole(180)
  await (await primary()).run('pgbackrest', '--stanza=coffer', 'check')
}

/** The timer of docs/backup.md, on each member. */
const backUpWherePrimary =
  `test "$(psql -U postgres -qAtc 'select pg_is_in_recovery()')" = t || ` +
  'pgbackrest --stanza=coffer --type=diff backup'

/**
 * The steps of docs/backup.md on the member `machine`: first to a moment that was not meant, then to the `target`, at
 * which there are `enough` orders.
 */
async function recover(
  { cluster, primary }: ArchivedCluster,
  machine: DatabaseMachine,
  { database, early, target, enough }: { database: string; early: string; target: string; enough: number },
): Promise<void> {
  const run = (...command: string[]) => runOn(machine, command)
  const ask = (sql: string, of = 'postgres') => run('psql', '-U', 'postgres', '-qAtc', sql, of)
  const stop = (of: DatabaseMachine) => of.run('pg_ctl', '-D', join(of.folder, 'pg'), '-m', 'fast', '-w', 'stop')
  await run('patronictl', 'pause', '--wait', 'coffer')
  const former = await primary()
  const all = Object.values(cluster.machines)
  for (const each of [...all.filter(one => one !== former), former]) await stop(each)
  for (const each of all.filter(one => one !== machine))
    await each.run('mv', join(each.folder, 'pg'), join(each.folder, 'pg-before'))
  await run('patronictl', 'edit-config', '--force', '-s', 'synchronous_mode=false', 'coffer')
  for (const moment of [early, target]) {
    const words = ['--delta', '--type=time', `--target=${moment}`, '--target-action=pause', 'restore']
    await run('pgbackrest', '--stanza=coffer', ...words)
    const offline = ['-l', join(machine.folder, 'recovery.log'), '-o', "-c listen_addresses='' -c ssl=off"]
    await run('pg_ctl', '-D', join(machine.folder, 'pg'), '-w', '-t', '3600', ...offline, 'start')
    await until(
      'it has reached the moment',
      async () => (await ask('select pg_get_wal_replay_pause_state()')) === 'paused',
    )
    const orders = Number(await ask('select count(*) from payments', database))
    if (moment === target && orders < enough) throw new Error(`${orders} orders instead of ${enough}`)
    if (moment === early && orders >= enough) throw new Error(`${orders} orders at an earlier moment`)
    if (moment === early) await stop(machine)
  }
  await ask('select pg_wal_replay_resume()')
  await until('it is recovered', async () => (await ask('select pg_is_in_recovery()')) === 'f')
  await stop(machine)
  await run('patronictl', 'restart', '--force', 'coffer', machine.name)
  await until('it is the primary', async () => (await primary()) === machine)
  await run('patronictl', 'resume', '--wait', 'coffer')
  await until(
    'the others follow',
    async () => (await cluster.members()).filter(each => ['running', 'streaming'].includes(each.state)).length === 3,
  )
  await run('patronictl', 'edit-config', '--force', '-s', 'synchronous_mode=true', 'coffer')
  await cluster.untilWhole(180)
}

/** Log that is written while the repository is away: more than pgBackRest keeps (`queueMax`). */
const segmentsAway = 14

/**
 * The repository cannot be written: orders go on, it is said, the log does not grow for ever, and backups begin anew.
 */
async function judgeOutage(
  { repository, primary, cluster }: ArchivedCluster,
  { deps }: Shop,
  till: Till,
): Promise<DrillFigure[]> {
  const machine = await primary()
  const ask = async (sql: string) => (await machine.run('psql', '-U', 'postgres', '-qAtc', sql)).trim()
  const readMetric = async (name: string) => {
    await updateDatabaseMetrics(deps)
    return (await registry.getSingleMetric(name)!.get()).values[0]?.value ?? 0
  }
  const writeLog = async (segments: number) => {
    for (let i = 0; i < segments; i++) {
      await till.take(1)
      await ask('select pg_switch_wal()')
    }
  }
  chmodSync(repository, 0)
  await writeLog(3)
  await until('it is said', () => readMetric('coffer_database_archive_failing'))
  const waiting = await readMetric('coffer_database_archive_bytes')
  const orders = till.confirmed.length
  await writeLog(segmentsAway)
  // It gives up what is too much, and then fails at the rest again.
  const countReady = async () =>
    Number(await ask("select count(*) from pg_ls_archive_statusdir() where name like '%.ready'"))
  await until('the log is given up', async () => (await countReady()) < segmentsAway)
  const ready = await countReady()
  const during = till.confirmed.length - orders
  chmodSync(repository, 0o700)
  await machine.run('pgbackrest', '--stanza=coffer', 'check')
  await machine.run('pgbackrest', '--stanza=coffer', '--type=full', 'backup')
  await cluster.untilWhole(60)
  return [
    figure('orders while the repository cannot be written', String(during), 'some', during >= segmentsAway),
    figure('log not archived, as the metric says', `${waiting >> 20} MiB`, 'at least 32', waiting >= 2 * 2 ** 24),
    figure('segments kept once it is given up', String(ready), `below ${segmentsAway}`, ready < segmentsAway),
  ]
}
