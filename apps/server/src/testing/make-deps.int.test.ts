// second-server: ends lost connections, and transactions that stay idle
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { tx } from '../kit/db.ts'
import { makePool } from '../make-deps.ts'
import { testDatabase } from './deps.ts'

test('a connection lost between two statements fails its transaction, not the server', async t => {
  const { url, owner } = await testDatabase(t)
  const pool = makePool(url, pino({ level: 'silent' }))
  const cut = tx(pool, async c => {
    const { rows } = await c.query('select pg_backend_pid() as pid')
    // Not events.once, which would handle errors.
    const ended = new Promise<void>(resolve => c.on('end', resolve))
    await owner.query('select pg_terminate_backend($1)', [rows[0].pid])
    await ended
    await c.query('select 1')
  })
  await assert.rejects(cut)
  assert.equal(await tx(pool, async c => (await c.query('select 1 as one')).rows[0].one), 1)
  await pool.end()
})

test('a process that freezes in a transaction loses it before others give up, and can write nothing afterwards', async t => {
  const { url, owner } = await testDatabase(t)
  await owner.query("insert into switches (name, reason, since) values ('a', 'first', 0)")
  const frozen = makePool(url, pino({ level: 'silent' }))
  const other = makePool(url, pino({ level: 'silent' }))
  t.after(() => Promise.all([frozen.end(), other.end()]))
  const stalled = tx(frozen, async c => {
    await c.query("select * from switches where name = 'a' for update")
    await tx(other, set => set.query("update switches set reason = 'second' where name = 'a'"))
    await c.query("update switches set reason = 'third' where name = 'a'")
  })
  await assert.rejects(stalled)
  const { rows } = await owner.query('select reason from switches')
  assert.deepEqual(rows, [{ reason: 'second' }])
})
