import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import type { Queryable } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'
import { withDeps } from '../../testing/deps.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { inspectDatabase, requireSoundDatabase } from './inspect-database.ts'
import { updateDatabaseMetrics } from './metrics.ts'

const deps = await withDeps({ after })
const now = 1_796_000_000

/** The database of the tests, some of whose answers are others. */
function withAnswers(answers: Record<string, object[]>): Queryable {
  const query = (given: { name: string }) =>
    answers[given.name] ? Promise.resolve({ rows: answers[given.name] }) : deps.pool.query(given as never)
  return { query } as unknown as Queryable
}

const sound = { provider: 'b', collation: 'C', transaction_age: 9, multixact_age: 1, prepared: 0 }
const soundSettings = {
  server_encoding: 'UTF8',
  zero_damaged_pages: 'off',
  autovacuum: 'on',
  wal_level: 'replica',
  max_prepared_transactions: '0',
  max_slot_wal_keep_size: '-1',
  shared_buffers: '131072',
  data_checksums: 'on',
}
const answersOf = (
  settings: Partial<typeof soundSettings>,
  ground: Partial<typeof sound> = {},
  slots: object[] = [],
) => ({
  'database-settings': Object.entries({ ...soundSettings, ...settings }).map(([name, setting]) => ({ name, setting })),
  'database-ground': [{ ...sound, ...ground }],
  'database-slots': slots,
})
const inspect = (...given: Parameters<typeof answersOf>) => inspectDatabase(withAnswers(answersOf(...given)), now)

test('a sound database has nothing to say', async () => {
  await testMerchant(deps, { time_zone: 'America/New_York' })
  await testMerchant(deps, { time_zone: 'Asia/Kolkata' })
  assert.deepEqual(await inspect({}), [])
  assert.deepEqual(
    (await inspectDatabase(deps.pool, now)).filter(each => each.refuses),
    [],
    'the real one of the tests',
  )
})

for (const [what, found, expected] of [
  ['another encoding', () => inspect({ server_encoding: 'SQL_ASCII' }), [true, /encoding is SQL_ASCII/]],
  ['damaged pages as empty', () => inspect({ zero_damaged_pages: 'on' }), [true, /zero_damaged_pages/]],
  ['no autovacuum', () => inspect({ autovacuum: 'off' }), [false, /autovacuum is off/]],
  ['no log for replicas', () => inspect({ wal_level: 'minimal' }), [false, /wal_level is minimal/]],
  ['prepared transactions', () => inspect({ max_prepared_transactions: '5' }), [false, /is not 0/]],
  ['little memory', () => inspect({ shared_buffers: '2048' }), [false, /below 128MB/]],
  ['no checksums', () => inspect({ data_checksums: 'off' }), [false, /pg_checksums --enable/]],
  [
    'the system’s collation',
    () => inspect({}, { provider: 'c', collation: 'en_US.UTF-8' }),
    [false, /by en_US\.UTF-8/],
  ],
  ['the collation of ICU', () => inspect({}, { provider: 'i', collation: 'C' }), [false, /by ICU of the system/]],
  ['old transactions', () => inspect({}, { transaction_age: 1_200_000_000 }), [false, /1200 million old/]],
  ['old multixacts', () => inspect({}, { multixact_age: 1_300_000_000 }), [false, /multixacts are 1300 million/]],
  ['forgotten transactions', () => inspect({}, { prepared: 2 }), [false, /2 prepared transactions/]],
  [
    'a slot without a bound',
    () => inspect({}, {}, [{ name: 'standby', kept: 2 ** 30 }]),
    [false, /slot standby, which keeps 1 GB of log and has no bound/],
  ],
  [
    'a slot that keeps much',
    () => inspect({ max_slot_wal_keep_size: '100000' }, {}, [{ name: 'standby', kept: 6 * 2 ** 30 }]),
    [false, /keeps 6 GB of log: read it/],
  ],
] as const)
  test(`finds ${what}`, async () => {
    const findings = await found()
    const [refuses, text] = expected
    assert.equal(findings.length, 1, JSON.stringify(findings))
    assert.equal(findings[0]!.refuses, refuses)
    assert.match(findings[0]!.text, text)
  })

test('a slot that keeps little and has a bound is nothing to say', async () => {
  assert.deepEqual(await inspect({ max_slot_wal_keep_size: '1000' }, {}, [{ name: 'standby', kept: 1 }]), [])
})

test('zones that the database knows otherwise, or not at all, are said, and end no start', async () => {
  const { id } = await testMerchant(deps, { time_zone: 'Europe/Berlin' })
  const zones = [{ name: 'Europe/Berlin', merchants: 1, seconds: 7_200 }]
  const findings = await inspectDatabase(withAnswers({ ...answersOf({}), 'database-zones': zones }), now)
  assert.deepEqual(findings, [
    {
      refuses: false,
      text: "its time zone data and this machine's differ for Europe/Berlin: update tzdata and Node on both",
    },
  ])
  await deps.owner.query(`update merchants set time_zone = 'Mars/Olympus' where id = $1`, [id])
  const said = await requireSoundDatabase(deps.pool, now)
  assert.ok(
    said.some(text => /^the time zones of 1 merchants are unknown to it/.test(text)),
    said.join('; '),
  )
})

const archiving = { is_on: true, fails: false, failed: '', waiting: 0 }
const inspectArchiving = (given: Partial<typeof archiving>) =>
  inspectDatabase(withAnswers({ ...answersOf({}), 'database-archiving': [{ ...archiving, ...given }] }), now)

test('log that is not archived is said, and nothing where none is', async () => {
  await deps.owner.query(`update merchants set time_zone = 'UTC'`)
  assert.deepEqual(await inspectArchiving({}), [])
  assert.deepEqual(await inspectArchiving({ is_on: false, fails: true }), [], 'archiving was switched off since')
  const findings = await inspectArchiving({ fails: true, failed: '000000010000000000000007' })
  assert.equal(findings.length, 1)
  assert.equal(findings[0]!.refuses, false)
  assert.match(findings[0]!.text, /archive_command fails \(000000010000000000000007\)/)
})

test('the gauges tell whether log is archived, and what is not, only where it should be', async () => {
  const read = async (given: Partial<typeof archiving>) => {
    await updateDatabaseMetrics({
      ...deps,
      pool: Object.assign(withAnswers({ 'database-archiving': [{ ...archiving, ...given }] }), {
        connect: () => deps.pool.connect(),
      }) as never,
    })
    const gaugeOf = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value
    return [await gaugeOf('coffer_database_archive_failing'), await gaugeOf('coffer_database_archive_bytes')]
  }
  assert.deepEqual(await read({ fails: true, waiting: 5e9 }), [1, 5e9])
  assert.deepEqual(await read({ waiting: 7 }), [0, 7])
  assert.deepEqual(await read({ is_on: false }), [undefined, undefined])
})

test('a merchant who writes a zone in another case is one of that zone', async () => {
  await deps.owner.query(`update merchants set time_zone = 'UTC'`)
  await testMerchant(deps, { time_zone: 'europe/BERLIN' })
  assert.deepEqual(await inspect({}), [])
})

test('a table of which most rows are dead is over the limit of its alert', async () => {
  await deps.owner.query(
    `create table bloated with (autovacuum_enabled = false) as select generate_series(1, 120000) as n`,
  )
  await deps.owner.query('delete from bloated where n > 40000')
  await until('the statistics have it', async () => {
    await deps.owner.query('select pg_stat_force_next_flush()')
    await updateDatabaseMetrics(deps)
    const { values } = await registry.getSingleMetric('coffer_database_dead_rows')!.get()
    return values.some(({ labels, value }) => labels.table === 'bloated' && value > 0.5)
  })
})

test('the gauges tell size, age and the oldest transaction', async () => {
  const c = await deps.pool.connect()
  try {
    await c.query('begin')
    await c.query('select 1')
    await updateDatabaseMetrics(deps)
    const text = await registry.metrics()
    const readGauge = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    assert.ok(readGauge('coffer_database_bytes') > 1_000_000)
    assert.ok(readGauge('coffer_database_transaction_age') > 0)
    assert.ok(!text.includes('\ncoffer_database_disk_free_bytes '), 'not known is not none')
    await until('it is a second old', async () => {
      await updateDatabaseMetrics(deps)
      const { values } = await registry.getSingleMetric('coffer_database_oldest_transaction_seconds')!.get()
      return values[0]!.value >= 1
    })
  } finally {
    await c.query('rollback')
    c.release()
  }
})
