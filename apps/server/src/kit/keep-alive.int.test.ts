import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { cutProxy } from '../testing/cut-proxy.ts'
import { testDatabase } from '../testing/deps.ts'
import { keepAlive } from './keep-alive.ts'

test('a lasting connection that is cut without an end is ended, and one that answers is not', async t => {
  const { url } = await testDatabase(t)
  const proxy = await cutProxy(t, url)
  const [cut, whole] = [proxy.url, url].map(each => new pg.Client({ connectionString: each }).on('error', () => {}))
  await Promise.all([cut!.connect(), whole!.connect()])
  t.after(() => whole!.end())
  // Not events.once, which would handle errors.
  const ended = new Promise<void>(resolve => cut!.on('end', resolve))
  keepAlive(whole!, { everyMs: 20, answerMs: 60_000 })
  proxy.cut()
  keepAlive(cut!, { everyMs: 20, answerMs: 500 })
  await ended
  assert.equal((await whole!.query('select 1 as one')).rows[0].one, 1)
})
