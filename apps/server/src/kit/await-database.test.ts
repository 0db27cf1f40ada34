import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitDatabase } from './await-database.ts'

const failure = (code: string) => Object.assign(new Error(code), { code })

test('a start waits for a database that comes up, and says what it saw', async () => {
  const seen = ['ENOTFOUND', 'ECONNREFUSED', 'ECONNREFUSED', '57P03']
  const printed: string[] = []
  const work = async () => {
    const code = seen.shift()
    if (code) throw failure(code)
    return 'up'
  }
  assert.equal(await awaitDatabase(work, 60_000, line => printed.push(line), 0), 'up')
  assert.equal(printed.length, 3)
  assert.match(printed[0]!, /^The host in DATABASE_URL is not known\. .*Trying again for \d+ s\.$/)
  assert.match(printed[2]!, /still starting/)
})

test('a start does not wait for what waiting does not mend, nor for ever', async () => {
  const printed: string[] = []
  const fails = (code: string, patienceMs: number) =>
    awaitDatabase(
      () => Promise.reject(failure(code)),
      patienceMs,
      line => printed.push(line),
      0,
    )
  await assert.rejects(fails('28P01', 60_000), { code: '28P01' })
  await assert.rejects(fails('ECONNREFUSED', 0), { code: 'ECONNREFUSED' })
  assert.deepEqual(printed, [])
})
