import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../testing/deps.ts'
import { requireCollation } from './require-collation.ts'

test('a database whose collation changed is refused until its owner has rebuilt the indexes', async t => {
  const { pool, owner } = await testDatabase(t)
  await requireCollation(pool)
  await owner.query("update pg_database set datcollversion = '0.1' where datname = current_database()")
  const error = await requireCollation(pool).then(
    () => assert.fail('it starts'),
    (problem: Error) => problem.message,
  )
  const [, reindex, refresh] = /run as the owner: (reindex .*?;) (alter .*?;)$/.exec(error) ?? []
  assert.match(error, /version 0\.1 of its collation/)
  await owner.query(reindex!)
  await owner.query(refresh!)
  await requireCollation(pool)
})
