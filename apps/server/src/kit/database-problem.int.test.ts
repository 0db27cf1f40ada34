// second-server: what a server answers to a login that it refuses
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { databaseUrl } from '@coffer/local/testing/postgres.ts'
import { migrate } from '../migrations/migrate.ts'
import { testDatabase } from '../testing/deps.ts'
import { databaseProblem } from './database-problem.ts'

const reported = async (url: string) => {
  const problem = databaseProblem(
    await migrate(url).then(
      () => assert.fail('it was opened'),
      error => error,
    ),
  )
  assert.ok(problem instanceof Error)
  assert.equal(problem.name, 'OperatorProblem', problem.stack)
  return problem.message
}

test('each DATABASE_URL mistake has a message for the operator', async t => {
  const { url } = await testDatabase(t)
  assert.match(
    await reported(databaseUrl(url, 'nowhere')),
    /^The database named in DATABASE_URL does not exist\. .*nowhere/,
  )
  assert.match(await reported('postgres://x@127.0.0.1:1/x'), /^No database answers .*ECONNREFUSED/)
  const web = createServer((_, response) => response.end('no database')).listen(0, '127.0.0.1')
  t.after(() => web.close())
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo
  assert.match(await reported(`postgres://x@127.0.0.1:${port}/x`), /is no PostgreSQL, or does not answer/)
})
