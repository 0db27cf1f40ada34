import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { postgresAccount } from '@coffer/local/account.ts'
import { startPostgres } from '@coffer/local/postgres.ts'
import { steadyPort } from '@coffer/local/testing/ports.ts'
import { describeEndingCertificate } from '@coffer/server/domains/installation/certificate-end.ts'
import pg from 'pg'

const files = join(import.meta.dirname, '..', 'ops', 'cluster')
const run = promisify(execFile)

test('members of a cluster are known by certificates of their names, which are renewed, and end', async t => {
  const openssl = (...words: string[]) =>
    run('openssl', words).then(
      () => true,
      () => false,
    )
  if (!(await openssl('version'))) return t.skip('openssl is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'coffer-certificates-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const make = (env: Record<string, string> = {}) =>
    run(join(files, 'certificates.sh'), [folder, 'db1=10.0.0.11', 'db2=10.0.0.12'], {
      env: { PATH: process.env.PATH, ...env },
    })
  await make()
  const verify = (...words: string[]) =>
    openssl('verify', '-CAfile', join(folder, 'ca.crt'), ...words, join(folder, 'db1/member.crt'))
  for (const words of [
    ['-verify_hostname', 'db1'],
    ['-verify_hostname', 'localhost'],
    ['-verify_ip', '10.0.0.11'],
    ['-verify_ip', '127.0.0.1'],
    ['-purpose', 'sslserver'],
    ['-purpose', 'sslclient'],
  ])
    assert.ok(await verify(...words), words.join(' '))
  assert.equal(await verify('-verify_hostname', 'db2'), false)
  assert.equal(await verify('-verify_ip', '10.0.0.12'), false)
  const modeOf = (file: string) => statSync(join(folder, file)).mode & 0o777
  for (const file of ['ca.key', 'db1/member.key']) assert.equal(modeOf(file), 0o600, file)
  for (const file of ['ca.crt', 'db1/ca.crt', 'db1/member.crt']) assert.equal(modeOf(file), 0o644, file)
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const before = { authority: read('ca.crt'), member: read('db1/member.crt') }
  await make({ CERTIFICATE_DAYS: '0' })
  assert.equal(read('ca.crt'), before.authority)
  assert.notEqual(read('db1/member.crt'), before.member)
  const later = String(Math.floor(Date.now() / 1_000) + 60)
  assert.equal(await verify('-attime', later), false, 'it has ended')
  await make({ CERTIFICATE_DAYS: '10' })
  assert.ok(await verify('-attime', later))
  const connectionString = await startEncrypted(t, folder)
  // The end of a pool does not wait for its connections, which the server may end first.
  const pool = new pg.Pool({ connectionString, max: 1 }).on('error', () => {})
  // Half a day after it was made.
  const now = Math.floor(Date.now() / 1_000) + 43_200
  const said = [await describeEndingCertificate(pool, now), await describeEndingCertificate(pool, now - 30 * 86_400)]
  await pool.end()
  assert.match(said[0] ?? '', /^its certificate ends in 9 days/)
  assert.equal(said[1], undefined)
})

/** Starts a PostgreSQL with the certificate of db1. Returns the address by which a server verifies it. */
async function startEncrypted(t: TestContext, certificates: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-encrypted-'))
  let stop = async () => {}
  t.after(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  for (const file of ['member.crt', 'member.key', 'ca.crt']) {
    cpSync(join(certificates, 'db1', file), join(folder, file))
    const account = postgresAccount()
    if (account) chownSync(join(folder, file), account.uid, account.gid)
  }
  chmodSync(folder, 0o755)
  const port = await steadyPort()
  const settings = {
    listen_addresses: '127.0.0.1',
    ssl: 'on',
    ssl_cert_file: join(folder, 'member.crt'),
    ssl_key_file: join(folder, 'member.key'),
  }
  const database = await startPostgres({ dataDir: join(folder, 'data'), durable: false, port, settings })
  stop = database.stop
  return `postgres://coffer@127.0.0.1:${port}/coffer?sslmode=verify-full&sslrootcert=${join(folder, 'ca.crt')}`
}

test('nobody reaches a database of the cluster without TLS', () => {
  const [, rules = ''] = readFileSync(join(files, 'patroni.yml'), 'utf8').split('pg_hba:\n')
  const kinds = [...rules.matchAll(/^ +- (\w+) .* (\S+)$/gm)].map(([, kind, method]) => `${kind} ${method}`)
  assert.equal(kinds.length, 5)
  for (const each of kinds) assert.match(each, /^(?:hostssl scram-sha-256|local (?:peer|scram-sha-256))$/)
  for (const file of ['patroni.yml', 'etcd.conf.yml'])
    assert.doesNotMatch(readFileSync(join(files, file), 'utf8'), /\bhttp:/, file)
})
