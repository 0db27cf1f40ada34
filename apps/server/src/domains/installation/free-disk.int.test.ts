import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Queryable } from '../../kit/db.ts'
import { testDatabase } from '../../testing/deps.ts'
import { describeFullDisk, readDatabaseDisk } from './free-disk.ts'

const gigabyte = 2 ** 30
const folder = mkdtempSync(join(tmpdir(), 'coffer-disk-'))
after(() => rmSync(folder, { recursive: true }))
const socket = join(folder, '.s.PGSQL.5432')
writeFileSync(socket, '')
/** A database that says where its folder is, or does not. */
const telling = (...folders: string[]) =>
  ({ query: async () => ({ rows: folders.map(each => ({ folder: each })) }) }) as unknown as Queryable
const bySocket = `postgres://coffer@/coffer?host=${folder}`

test('the disk of a database on this machine is known where it tells its folder', async () => {
  const disk = await readDatabaseDisk(telling(folder), bySocket)
  assert.equal(disk?.folder, folder)
  assert.ok(disk.size > 0 && disk.free <= disk.size)
})

test('of another machine, a folder that is not told, not there or somebody else’s nothing is known', async () => {
  assert.equal(await readDatabaseDisk(telling(folder), 'postgres://coffer@127.0.0.1/coffer'), undefined)
  assert.equal(await readDatabaseDisk(telling(), bySocket), undefined)
  assert.equal(await readDatabaseDisk(telling(join(folder, 'nothing')), bySocket), undefined)
  assert.equal(await readDatabaseDisk(telling('/proc/self/cwd'), bySocket), undefined)
  if (process.getuid?.() !== 0) return
  chownSync(socket, 12_345, 12_345)
  assert.equal(await readDatabaseDisk(telling(folder), bySocket), undefined)
})

test('the server’s role is not told the folder unless it is granted', async t => {
  const { pool, owner } = await testDatabase(t)
  const read = () => pool.query("select 1 from pg_settings where name = 'data_directory'")
  assert.equal((await read()).rowCount, 0)
  const granted = await owner.query(`select pg_has_role('coffer_app', 'pg_read_all_settings', 'member') as yes`)
  assert.equal(granted.rows[0].yes, false)
})

test('a disk that is nearly full is said with what is left', () => {
  assert.equal(describeFullDisk({ folder: '/data', free: 30 * gigabyte, size: 100 * gigabyte }), undefined)
  assert.match(
    describeFullDisk({ folder: '/data', free: 1.5 * gigabyte, size: 10 * gigabyte })!,
    /^only 1536 MB of 10240 MB are free on the disk of \/data/,
  )
  assert.ok(describeFullDisk({ folder: '/data', free: 9 * gigabyte, size: 100 * gigabyte }))
})
