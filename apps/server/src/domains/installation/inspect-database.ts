import { OperatorProblem } from '@coffer/local/problem.ts'
import { offsetAt } from '../../kit/days.ts'
import { all, first, type Queryable } from '../../kit/db.ts'

/** What is wrong with the database below Coffer. One that `refuses` lets no server start. */
export interface DatabaseFinding {
  refuses: boolean
  /** What it is, and what to do. */
  text: string
}

const settingNames = [
  'server_encoding',
  'zero_damaged_pages',
  'autovacuum',
  'wal_level',
  'max_prepared_transactions',
  'max_slot_wal_keep_size',
  'shared_buffers',
  'data_checksums',
] as const
type SettingName = (typeof settingNames)[number]

const readSettings = all(
  'database-settings',
  `select coalesce(name, '') as name, coalesce(setting, '') as setting from pg_settings where name = any($1)`,
)
const readGround = first(
  'database-ground',
  `select d.datlocprovider::text as provider, d.datcollate as collation,
     coalesce(age(d.datfrozenxid), 0) as transaction_age, coalesce(mxid_age(d.datminmxid), 0) as multixact_age,
     (select count(*)::int from pg_prepared_xacts where prepared < now() - interval '10 minutes') as prepared
   from pg_database d where d.datname = current_database()`,
)
/** Zones of merchants, in whatever case, with their distance from UTC at an instant (s); null: unknown. */
const readZones = all(
  'database-zones',
  `select z.name, z.merchants, case when n.name is not null then extract(epoch from
       (to_timestamp($1::bigint) at time zone n.name) - (to_timestamp($1::bigint) at time zone 'UTC'))::int end as seconds
   from (select min(time_zone) as name, count(*)::int as merchants from merchants group by lower(time_zone)) z
   left join pg_timezone_names n on lower(n.name) = lower(z.name) order by z.name`,
)
/** Replication slots that nobody reads, with the log that they keep (bytes). */
export const readUnreadSlots = all(
  'database-slots',
  `select coalesce(slot_name::text, '') as name, coalesce(pg_wal_lsn_diff(
       case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn), 0)::bigint as kept
   from pg_replication_slots where not active`,
)
/**
 * Whether log is archived, whether the last attempt failed, and how much was written since the last success (bytes):
 * undefined before the first, as after a failover. Names of segments have timeline, and number in two parts.
 */
export const readArchiving = first(
  'database-archiving',
  `select current_setting('archive_mode') <> 'off' as is_on,
     coalesce(a.last_failed_time > a.last_archived_time, a.last_failed_time is not null) as fails,
     coalesce(a.last_failed_wal, '') as failed,
     case when not pg_is_in_recovery() and a.last_archived_wal ~ '^[0-9A-F]{24}' then greatest(0,
       (pg_current_wal_lsn() - '0/0'::pg_lsn) - (('x' || substr(a.last_archived_wal, 9, 8))::bit(32)::bigint::numeric
         * 4294967296 + (('x' || substr(a.last_archived_wal, 17, 8))::bit(32)::bigint + 1)
         * pg_size_bytes(current_setting('wal_segment_size'))))::bigint end as waiting
   from pg_stat_archiver a`,
)

/** Identifiers of transactions come back after 2^31: at this age something keeps PostgreSQL from freezing them. */
const oldTransactions = 1_000_000_000
/** Log that a slot may keep before somebody should look (bytes). */
const keptLogMax = 5 * 2 ** 30
/** PostgreSQL's default of shared buffers (bytes). Less is a machine of tests. */
const sharedBuffersMin = 128 * 2 ** 20

/** What each setting must or should be: what is wrong with another value, and whether it loses money. */
const settingRules: Record<SettingName, (value: string) => DatabaseFinding | undefined> = {
  server_encoding: value =>
    value === 'UTF8'
      ? undefined
      : refusal(`its encoding is ${value}: make a database with encoding UTF8 and restore a dump into it`),
  zero_damaged_pages: value =>
    value === 'off' ? undefined : refusal('zero_damaged_pages is on: rows of damaged pages would vanish silently'),
  autovacuum: value =>
    value === 'on' ? undefined : warning('autovacuum is off: tables grow, and at last every write is refused'),
  wal_level: value =>
    value === 'minimal'
      ? warning('wal_level is minimal: no replica and no continuous backup is possible; set it to replica')
      : undefined,
  max_prepared_transactions: value =>
    value === '0'
      ? undefined
      : warning('max_prepared_transactions is not 0: Coffer prepares none, and a forgotten one keeps locks for ever'),
  // What slots keep is looked at below.
  max_slot_wal_keep_size: () => undefined,
  shared_buffers: value =>
    Number(value) * 8_192 >= sharedBuffersMin
      ? undefined
      : warning('shared_buffers is below 128MB: a quarter of the memory is usual'),
  data_checksums: value =>
    value === 'on'
      ? undefined
      : warning(
          'data_checksums are off: a damaged page is not noticed; "pg_checksums --enable" with the database stopped',
        ),
}

/**
 * Reads what the database stands on: encoding, collation, time zones, identifiers of transactions, replication slots,
 * archiving and memory. Version of the collation: see `requireCollation`; what loses commits: see `requireDurable`.
 */
export async function inspectDatabase(c: Queryable, now: number): Promise<DatabaseFinding[]> {
  const settings = new Map((await readSettings(c, [...settingNames])).map(each => [each.name, each.setting]))
  const ground = (await readGround(c))!
  const findings = settingNames.map(name => {
    const value = settings.get(name)
    return value === undefined ? undefined : settingRules[name](value)
  })
  findings.push(...inspectGround(ground), ...(await inspectZones(c, now)))
  for (const { name, kept } of await readUnreadSlots(c)) {
    const isBounded = settings.get('max_slot_wal_keep_size') !== '-1'
    if (kept > keptLogMax || !isBounded)
      findings.push(
        warning(
          `nobody reads the replication slot ${name}, which keeps ${formatGigabytes(kept)} of log${isBounded ? '' : ' and has no bound'}: read it, drop it, or set max_slot_wal_keep_size`,
        ),
      )
  }
  const archiving = await readArchiving(c)
  if (archiving?.is_on && archiving.fails)
    findings.push(
      warning(
        `archive_command fails (${archiving.failed}): log fills the disk, and nothing newer can be recovered; see docs/runbook/database.md`,
      ),
    )
  return findings.filter(each => each !== undefined)
}

type Ground = NonNullable<Awaited<ReturnType<typeof readGround>>>

function inspectGround({ provider, collation, prepared, ...ages }: Ground): DatabaseFinding[] {
  const findings: DatabaseFinding[] = []
  // `b` is PostgreSQL's own. `c` is that of libc, where these compare bytes. With ICU (`i`) this name decides nothing.
  const isByBytes = provider === 'b' || (provider === 'c' && ['C', 'POSIX', 'C.UTF-8', 'C.utf8'].includes(collation))
  if (!isByBytes)
    findings.push(
      warning(
        `texts are sorted by ${provider === 'i' ? 'ICU' : collation} of the system: an upgrade of it, or a replica on another one, breaks unique indexes; restore a backup into a database with the collation C (docs/decisions/collation.md)`,
      ),
    )
  const [kind, age] =
    ages.transaction_age >= ages.multixact_age
      ? ['transactions', ages.transaction_age]
      : ['multixacts', ages.multixact_age]
  if (age > oldTransactions)
    findings.push(
      warning(
        `its oldest ${kind} are ${Math.round(age / 1e6)} million old, and at 2,100 million all writes end: see docs/runbook/database.md`,
      ),
    )
  if (prepared > 0)
    findings.push(warning(`${prepared} prepared transactions are open and keep locks: see pg_prepared_xacts`))
  return findings
}

/** The most zones that a finding names. */
const namedZonesMax = 20

/**
 * Compares time zones with those of this machine. Coffer computes days itself, so that no difference ends a start: a
 * merchant chooses the zone, and must not stop the shop of others.
 */
async function inspectZones(c: Queryable, now: number): Promise<DatabaseFinding[]> {
  const zones = await readZones(c, now)
  const unknown = zones.filter(({ seconds }) => seconds === null)
  const different = zones.filter(({ name, seconds }) => seconds !== null && seconds !== offsetAt(now, name ?? ''))
  const merchants = unknown.reduce((sum, each) => sum + each.merchants, 0)
  const names = different.slice(0, namedZonesMax).map(each => each.name)
  return [
    merchants > 0 &&
      warning(`the time zones of ${merchants} merchants are unknown to it: install tzdata and restart PostgreSQL`),
    names.length > 0 &&
      warning(`its time zone data and this machine's differ for ${names.join(', ')}: update tzdata and Node on both`),
  ].filter(each => each !== false)
}

const refusal = (text: string): DatabaseFinding => ({ refuses: true, text })
const warning = (text: string): DatabaseFinding => ({ refuses: false, text })
const formatGigabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 30)} GB`

/**
 * Refuses a database that would lose what was acknowledged, and returns the text of what else is wrong with it.
 * @throws Problem that says what to do
 */
export async function requireSoundDatabase(c: Queryable, now: number): Promise<string[]> {
  const findings = await inspectDatabase(c, now)
  const refusals = findings.filter(each => each.refuses)
  if (refusals.length > 0) throw new OperatorProblem(`The database: ${refusals.map(each => each.text).join('; ')}`)
  return findings.map(each => each.text)
}
