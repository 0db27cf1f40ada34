// second-server: who gets an advisory lock that a lost connection held
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPostgres } from '@coffer/local/testing/postgres.ts'
import { until, untilBlocked } from '@coffer/local/testing/until.ts'
import pg from 'pg'
import { holdSchema } from './hold-schema.ts'
import { migrate, pendingMigrations } from './migrate.ts'

const earlier = '0006_moves_together'

test('no migration runs while a server does, and none is refused when nothing is to migrate', {
  timeout: 180_000,
}, async t => {
  const { url } = await withPostgres(t)
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  t.after(() => owner.end())
  owner.on('error', () => {})
  await migrate(url, earlier)
  const problems: string[] = []
  /** A server of the version that knows only the earlier migrations. */
  const server = () =>
    holdSchema({
      options: { connectionString: url },
      check: async () => {
        const { rows } = await owner.query('select name from kysely_migration where name > $1 limit 1', [earlier])
        if (rows[0]) throw Object.assign(new Error(rows[0].name), { name: 'OperatorProblem' })
      },
      onProblem: problem => problems.push(problem.message),
    })
  const stop = [await server(), await server()]
  await assert.rejects(migrate(url, undefined, { seconds: 0.1 }), {
    name: 'OperatorProblem',
    message: /server of Coffer still runs/,
  })
  await stop[0]!()
  await assert.rejects(migrate(url, undefined, { seconds: 0.1 }), {
    name: 'OperatorProblem',
    message: /server of Coffer still runs/,
  })

  // A connection that is lost while nothing is migrated is opened again, and holds migrations off again.
  const held = `select pid from pg_stat_activity a join pg_locks l using (pid) where l.locktype = 'advisory' and l.granted
    and a.application_name = 'coffer schema' and a.datname = current_database()`
  const pidOf = async () => (await owner.query(held)).rows[0]?.pid as number | undefined
  const cut = async () => {
    const pid = await pidOf()
    await owner.query('select pg_terminate_backend($1)', [pid])
    return pid
  }
  const lost = await cut()
  await until('the lock is held again', pidOf, pid => pid !== undefined && pid !== lost)
  await assert.rejects(migrate(url, undefined, { seconds: 0.1 }), {
    name: 'OperatorProblem',
    message: /server of Coffer still runs/,
  })

  // A migration that waits gets the lock when the connection is lost, and the server of the older version ends.
  const migrated = migrate(url)
  await untilBlocked(owner)
  await cut()
  assert.ok((await migrated).length > 0)
  await until('the server reports the problem', () => problems.length)
  assert.match(problems[0]!, /^0007_/)
  await assert.rejects(server(), { name: 'OperatorProblem' })

  // The server of this version runs; another one that starts has nothing to migrate and waits for nobody.
  const check = async () => assert.deepEqual(await pendingMigrations(url), [])
  stop.push(await holdSchema({ options: { connectionString: url }, check, onProblem: () => {} }))
  assert.deepEqual(await migrate(url, undefined, { seconds: 0.1 }), [])
  for (const each of stop.slice(1)) await each()
  assert.equal(problems.length, 1)
})

test('a connection that is lost while the schema is checked is opened again', { timeout: 60_000 }, async t => {
  const { url } = await withPostgres(t)
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  t.after(() => owner.end())
  owner.on('error', () => {})
  const cut = () =>
    owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coffer schema' and datname = current_database()`,
    )
  let checks = 0
  const check = async () => {
    // The second check, after the first loss, is that of a connection that is lost meanwhile.
    if (++checks !== 2) return
    await cut()
    await until(
      'it is closed',
      async () => (await cut()).rowCount,
      n => n === 0,
    )
  }
  const stop = await holdSchema({ options: { connectionString: url }, check, onProblem: assert.fail })
  await cut()
  await until('it is opened again', () => checks >= 3)
  await stop()
})
