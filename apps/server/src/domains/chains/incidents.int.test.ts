import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilBlocked } from '@coffer/local/testing/until.ts'
import { tx } from '../../kit/db.ts'
import { moneyWorld } from '../../testing/money.ts'
import { insertIncidents } from './store.ts'

test('what one cause makes at the same moment is one incident', async t => {
  const { deps, owner } = await moneyWorld(t)
  const { pool, clock } = deps
  const row = (id: string, kind: string) => ({ id, kind, chain_id: 'eth', detail: {}, created_at: clock() })
  let hasEnded = false
  let second: Promise<unknown> | undefined
  await tx(pool, async c => {
    await insertIncidents(c, [row('first', 'shortage')])
    second = tx(pool, other => insertIncidents(other, [row('second', 'wallet_halted')])).then(() => {
      hasEnded = true
    })
    await Promise.race([second, untilBlocked(owner)])
    assert.equal(hasEnded, false, 'it waits for the first')
  })
  await second
  await tx(pool, c => insertIncidents(c, [row('third', 'reread_preview'), row('fourth', 'surplus')]))
  const found = await pool.query('select id, part_of from incidents order by id')
  assert.deepEqual(
    found.rows.map(each => [each.id, each.part_of]),
    [
      ['first', null],
      ['fourth', 'third'],
      ['second', 'first'],
      ['third', null],
    ],
  )
})
