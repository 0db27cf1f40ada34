import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../testing/deps.ts'
import { startPooler } from '../testing/pooler.ts'
import { requireServer } from './require-server.ts'

test('a pooler that shares connections between transactions is refused, and one by session accepted', async t => {
  const { url } = await testDatabase(t)
  await requireServer(url)
  await requireServer(await startPooler(t, url, { mode: 'session', size: 8 }))
  await assert.rejects(requireServer(await startPooler(t, url, { mode: 'transaction', size: 8 })), {
    name: 'OperatorProblem',
    message:
      /^The pooler at DATABASE_URL shares connections between transactions.*set pool_mode = session in PgBouncer/,
  })
})
