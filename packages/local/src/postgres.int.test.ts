import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { createPrivateFolder, endParent, startParent, testUsers } from './parents.fixture.ts'
import { isRunning, processIdOf } from './processes.ts'
import { suiteScope } from './testing/scope.ts'
import { until } from './testing/until.ts'

const query = async (connectionString: string, sql: string) => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const postmaster = (folder: string) => {
  const id = processIdOf(Number(readFileSync(join(folder, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]))
  assert.ok(id, 'the postmaster runs')
  return id
}

const file = suiteScope()
/** Data folders with a cluster that was stopped, by user. */
const stopped = new Map<number | undefined, Promise<string>>()

async function makeStopped(uid: number | undefined): Promise<string> {
  const folder = createPrivateFolder(file, uid)
  await endParent(await startParent('postgres', folder, uid), 'SIGTERM')
  return folder
}

/**
 * Returns a folder of the test's own with a copy of a stopped cluster: creating one takes longer than the rest of a
 * test.
 */
async function ownCluster(t: TestContext, uid: number | undefined): Promise<string> {
  const made = stopped.get(uid) ?? makeStopped(uid)
  stopped.set(uid, made)
  const folder = createPrivateFolder(t, uid)
  execFileSync('cp', ['-a', await made, folder])
  return folder
}

for (const { name, uid } of testUsers) {
  test(`as ${name}: keeps committed data across a restart and listens on no network`, async t => {
    const folder = createPrivateFolder(t, uid)
    const first = await startParent('postgres', folder, uid)
    assert.equal(first.problem, '')
    await query(first.url, 'create table stored as select 7 as n')
    assert.deepEqual(await query(first.url, 'show listen_addresses'), [{ listen_addresses: '' }])
    assert.deepEqual(await query(first.url, 'show fsync'), [{ fsync: 'on' }])
    const server = postmaster(folder)
    await endParent(first, 'SIGTERM')
    assert.equal(isRunning(server), false)

    const second = await startParent('postgres', folder, uid)
    assert.deepEqual(await query(second.url, 'select n from stored'), [{ n: 7 }])
    await endParent(second, 'SIGTERM')
  })

  test(`as ${name}: ends the server when its parent is killed, and the next start loses nothing`, async t => {
    const folder = await ownCluster(t, uid)
    const first = await startParent('postgres', folder, uid)
    await query(first.url, 'create table stored as select 7 as n')
    const server = postmaster(folder)
    await endParent(first, 'SIGKILL')
    await until('the server ends', () => !isRunning(server))

    const second = await startParent('postgres', folder, uid)
    assert.deepEqual(await query(second.url, 'select n from stored'), [{ n: 7 }])
    await endParent(second, 'SIGTERM')
  })

  test(`as ${name}: ends an orphaned server on the next start`, async t => {
    const folder = await ownCluster(t, uid)
    const first = await startParent('postgres', folder, uid)
    const server = postmaster(folder)
    // A stopped server ignores the guard's signal, as if the guard had been killed too.
    process.kill(server.pid, 'SIGSTOP')
    await endParent(first, 'SIGKILL')
    process.kill(server.pid, 'SIGCONT')

    const second = await startParent('postgres', folder, uid)
    assert.equal(second.problem, '')
    assert.equal(isRunning(server), false)
    await endParent(second, 'SIGTERM')
  })

  test(`as ${name}: refuses a second start on the same folder in one line`, async t => {
    const folder = await ownCluster(t, uid)
    const first = await startParent('postgres', folder, uid)
    const second = await startParent('postgres', folder, uid)
    assert.match(
      second.problem,
      new RegExp(`^${folder} is already in use by process ${first.process.pid}\\. .*COFFER_DATA`),
    )
    assert.deepEqual(await query(first.url, 'select 1 as n'), [{ n: 1 }])
    await endParent(first, 'SIGTERM')
  })

  test(`as ${name}: works in a folder whose path is too long for a socket`, async t => {
    const folder = join(createPrivateFolder(t, uid), 'deep'.repeat(30))
    const first = await startParent('postgres', folder, uid)
    assert.equal(first.problem, '')
    assert.deepEqual(await query(first.url, 'select 1 as n'), [{ n: 1 }])
    await endParent(first, 'SIGTERM')
  })

  test(`as ${name}: starts despite a stale pid file whose pid now belongs to another process`, async t => {
    const folder = await ownCluster(t, uid)
    const first = await startParent('postgres', folder, uid)
    await endParent(first, 'SIGTERM')
    const stale = `${process.pid}\n${join(folder, 'pg')}\n1\n5432\n${join(folder, 'pg')}\n\n0 0\nready\n`
    writeFileSync(join(folder, 'pg', 'postmaster.pid'), stale)
    writeFileSync(join(folder, 'pg', '.s.PGSQL.5432.lock'), stale)
    const second = await startParent('postgres', folder, uid)
    assert.equal(second.problem, '')
    await endParent(second, 'SIGTERM')
  })
}

test('refuses a cluster of another version, and a file in place of the folder, in one line', async t => {
  const older = createPrivateFolder(t, undefined)
  mkdirSync(join(older, 'pg'), { recursive: true })
  writeFileSync(join(older, 'pg', 'PG_VERSION'), '15\n')
  assert.match(
    (await startParent('postgres', older, undefined)).problem,
    /was created by PostgreSQL 15, this is 18\. Move/,
  )

  const file = createPrivateFolder(t, undefined)
  writeFileSync(file, '')
  assert.match((await startParent('postgres', file, undefined)).problem, /is not a folder\. Move it away/)
})
