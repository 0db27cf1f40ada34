import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { endHolder, hold, ownFolder, users } from './holder.fixture.ts'
import { identify, isRunning } from './processes.ts'

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
  const id = identify(Number(readFileSync(join(folder, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]))
  assert.ok(id, 'the postmaster runs')
  return id
}

for (const { name, uid } of users) {
  test(`as ${name}: starts, keeps what was committed, listens on no network, stops`, async t => {
    const folder = ownFolder(t, uid)
    const first = await hold('postgres', folder, uid)
    assert.equal(first.problem, '')
    await query(first.url, 'create table kept as select 7 as n')
    assert.deepEqual(await query(first.url, 'show listen_addresses'), [{ listen_addresses: '' }])
    assert.deepEqual(await query(first.url, 'show fsync'), [{ fsync: 'on' }])
    const server = postmaster(folder)
    await endHolder(first, 'SIGTERM')
    assert.equal(isRunning(server), false)

    const second = await hold('postgres', folder, uid)
    assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 7 }])
    await endHolder(second, 'SIGTERM')
  })

  test(`as ${name}: a killed parent takes its server with it, and the next start loses nothing`, async t => {
    const folder = ownFolder(t, uid)
    const first = await hold('postgres', folder, uid)
    await query(first.url, 'create table kept as select 7 as n')
    const server = postmaster(folder)
    await endHolder(first, 'SIGKILL')
    while (isRunning(server)) await sleep(20)

    const second = await hold('postgres', folder, uid)
    assert.deepEqual(await query(second.url, 'select n from kept'), [{ n: 7 }])
    await endHolder(second, 'SIGTERM')
  })

  test(`as ${name}: a server whose parent and guard were killed is ended by the next start`, async t => {
    const folder = ownFolder(t, uid)
    const first = await hold('postgres', folder, uid)
    const server = postmaster(folder)
    // A stopped server cannot act on the guard's signal, which is as if there had been no guard.
    process.kill(server.pid, 'SIGSTOP')
    await endHolder(first, 'SIGKILL')
    process.kill(server.pid, 'SIGCONT')

    const second = await hold('postgres', folder, uid)
    assert.equal(second.problem, '')
    assert.equal(isRunning(server), false)
    await endHolder(second, 'SIGTERM')
  })

  test(`as ${name}: a second start on the same folder is refused in one line`, async t => {
    const folder = ownFolder(t, uid)
    const first = await hold('postgres', folder, uid)
    const second = await hold('postgres', folder, uid)
    assert.match(
      second.problem,
      new RegExp(`^${folder} is already in use by process ${first.process.pid}\\. .*COFFER_DATA`),
    )
    assert.deepEqual(await query(first.url, 'select 1 as n'), [{ n: 1 }])
    await endHolder(first, 'SIGTERM')
  })

  test(`as ${name}: a folder whose path is too long for a socket works`, async t => {
    const folder = join(ownFolder(t, uid), 'deep'.repeat(30))
    const first = await hold('postgres', folder, uid)
    assert.equal(first.problem, '')
    assert.deepEqual(await query(first.url, 'select 1 as n'), [{ n: 1 }])
    await endHolder(first, 'SIGTERM')
  })

  test(`as ${name}: a stale pid file whose pid is another process now does not stop the start`, async t => {
    const folder = ownFolder(t, uid)
    const first = await hold('postgres', folder, uid)
    await endHolder(first, 'SIGTERM')
    const stale = `${process.pid}\n${join(folder, 'pg')}\n1\n5432\n${join(folder, 'pg')}\n\n0 0\nready\n`
    writeFileSync(join(folder, 'pg', 'postmaster.pid'), stale)
    writeFileSync(join(folder, 'pg', '.s.PGSQL.5432.lock'), stale)
    const second = await hold('postgres', folder, uid)
    assert.equal(second.problem, '')
    await endHolder(second, 'SIGTERM')
  })
}

test('a cluster of another version, and a file in the way, are refused in one line', async t => {
  const older = ownFolder(t, undefined)
  mkdirSync(join(older, 'pg'), { recursive: true })
  writeFileSync(join(older, 'pg', 'PG_VERSION'), '15\n')
  assert.match((await hold('postgres', older, undefined)).problem, /was made by PostgreSQL 15, this is 18\. Move/)

  const file = ownFolder(t, undefined)
  writeFileSync(file, '')
  assert.match((await hold('postgres', file, undefined)).problem, /is not a folder\. Move it away/)
})
