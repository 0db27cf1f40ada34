import { Gauge } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { all, first, tx } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'
import { readDatabaseDisk } from './free-disk.ts'
import { readArchiving, readUnreadSlots } from './inspect-database.ts'

const registers = [registry]
const gauge = (name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name, help, labelNames, registers })
const size = gauge('coffer_database_bytes', 'Size of the database')
const age = gauge(
  'coffer_database_transaction_age',
  'Age of the oldest identifier of a transaction; all writes end at 2^31',
)
const oldest = gauge(
  'coffer_database_oldest_transaction_seconds',
  'Age of the oldest transaction of this user, or prepared one',
)
const free = gauge('coffer_database_disk_free_bytes', 'Free bytes on the disk of the database, where that is known')
const dead = gauge('coffer_database_dead_rows', 'Rows of a large table that are dead, as a part of all', ['table'])
const kept = gauge('coffer_database_slot_bytes', 'Log that a replication slot keeps which nobody reads', ['slot'])
const archiveFails = gauge('coffer_database_archive_failing', '1 while the last attempt to archive log has failed')
const unarchived = gauge('coffer_database_archive_bytes', 'Log that was written since the last that was archived')

const readState = first(
  'database-state',
  `select pg_database_size(d.oid) as bytes, greatest(age(d.datfrozenxid), mxid_age(d.datminmxid)) as age,
     coalesce(extract(epoch from clock_timestamp() - least(
       (select min(xact_start) from pg_stat_activity where datname = d.datname and backend_type = 'client backend'),
       (select min(prepared) from pg_prepared_xacts where database = d.datname)))::int, 0) as oldest
   from pg_database d where d.datname = current_database()`,
)
/** Sessions belong to the user who logged in, and the role of the tables is told nothing about those of others. */
const readStateAsUser = (pool: Deps['pool']) =>
  tx(pool, async c => {
    await c.query('set local role none')
    return readState(c)
  })

/** Dead rows of tables that matter: a fifth is usual before autovacuum comes. */
const readDeadRows = all(
  'database-dead-rows',
  `select coalesce(relname::text, '') as name, coalesce(n_dead_tup, 0) as dead, coalesce(n_live_tup, 0) as live
   from pg_stat_user_tables
   where n_live_tup + n_dead_tup > 100000 order by n_dead_tup desc limit 20`,
)

/** Sets the gauges of the database's ground. */
export async function updateDatabaseMetrics({ pool, config }: Pick<Deps, 'pool' | 'config'>): Promise<void> {
  const [state, tables, slots, archiving, disk] = await Promise.all([
    readStateAsUser(pool),
    readDeadRows(pool),
    readUnreadSlots(pool),
    readArchiving(pool),
    readDatabaseDisk(pool, config.databaseUrl),
  ]).finally(
    // Without a database, report no value rather than a stale one.
    () => {
      for (const each of [size, age, oldest, dead, kept]) each.reset()
      // Without a label a reset would say that it is full, or that all is archived.
      for (const each of [free, archiveFails, unarchived]) each.remove()
    },
  )
  size.set(state?.bytes ?? 0)
  if (disk) free.set(disk.free)
  age.set(state?.age ?? 0)
  oldest.set(state?.oldest ?? 0)
  for (const { name, ...rows } of tables) dead.set({ table: name }, rows.dead / (rows.dead + rows.live))
  if (archiving?.is_on) {
    archiveFails.set(archiving.fails ? 1 : 0)
    if (archiving.waiting !== null) unarchived.set(archiving.waiting)
  }
  for (const slot of slots) kept.set({ slot: slot.name }, slot.kept)
}
