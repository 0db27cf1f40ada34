// second-server: logs in as a role with a password, over TCP
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { databaseUrl, withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from '../migrations/migrate.ts'
import { ethereumNode, mailServer, noPrices, settings } from '../testing/config-world.ts'
import { checkConfig } from './config-check.ts'

test('accepts a complete installation, and finds a database of another one without changing it', async t => {
  const { url } = await withPostgres(t)
  const user = `check_${process.pid}`
  const owner = new pg.Pool({ connectionString: url, max: 1 })
  owner.on('error', () => {}).on('connect', client => client.on('error', () => {}))
  await migrate(url)
  await owner.query(`create role ${user} login password '${user}' in role coffer_app`)
  t.after(async () => {
    await owner.end()
    const cluster = new pg.Client({ connectionString: databaseUrl(url, 'postgres') })
    await cluster.connect()
    await cluster.query(`drop role ${user}`)
    await cluster.end()
  })
  const node = await ethereumNode(t)
  const env = {
    ...(await settings(t, [`http://127.0.0.1:${node}`])),
    COFFER_SMTP_URL: `smtp://127.0.0.1:${await mailServer(t)}`,
    DATABASE_URL: url,
  }
  const asOwner = await checkConfig(env, noPrices)
  assert.match(asOwner.text, /^FAIL {2}database: .*, the user of DATABASE_URL, is a superuser/m)
  env.DATABASE_URL = url.replace(/\/\/[^@]*@/, `//${user}:${user}@`)
  const unsafe = await checkConfig(env, noPrices)
  assert.match(unsafe.text, /^FAIL {2}database: synchronous_commit is off in the database: it confirms payments that/m)
  await owner.query(`alter role ${user} set synchronous_commit to on`)
  const good = await checkConfig(env, noPrices)
  assert.match(good.text, /^ok {4}database: answers, is up to date/m)
  // Clusters of tests do not flush.
  assert.match(
    good.text,
    /^WARN {2}commits and connections: fsync is off in .*; the database allows \d+ connections, and a server needs up to 44$/m,
  )
  await owner.query(`alter role ${user} connection limit 20`)
  assert.match(
    (await checkConfig(env, noPrices)).text,
    /^FAIL {2}commits and connections: the database allows 20 conn/m,
  )
  assert.match(good.text, /^ok {4}mail: the mail server accepts/m)
  assert.match(
    good.text,
    /^ok {4}node 1 of eth: chain id 1, block 7; what a block holds can be read and is verified.*; The network forks on 2096-10-02 07:06 UTC/m,
  )
  assert.equal((await owner.query('select 1 from chains')).rowCount, 0, 'nothing was written')
  assert.match(good.text, /^ok {4}passkeys: none is known to be of another host$/m)
  await countsPasskeys(t, env, owner)
  await owner.query(`insert into fingerprints values ('xpub evm', 'another', 1)`)
  assert.match((await checkConfig(env, noPrices)).text, /^FAIL {2}database: COFFER_XPUB_EVM is not the key that/m)
})

/** Adds passkeys of a former host for merchants and an operator, and a signer whose policy still names it. */
async function countsPasskeys(t: TestContext, env: NodeJS.ProcessEnv, owner: pg.Pool) {
  const people = [
    ['a', 'shop', null],
    ['b', 'shop', null],
    ['closed', 'shop', 1],
    ['op', 'console', null],
  ] as const
  for (const [id, realm, deleted] of people)
    await owner.query('insert into persons (id, realm, email, created_at, deleted_at) values ($1, $2, $1, 0, $3)', [
      id,
      realm,
      deleted,
    ])
  const passkey = `insert into passkeys
    (person_id, realm, id, name, public_key, counter, transports, synced, created_at, host, blocked_at)
    select id, realm, $2, '', '', 0, '{}', false, 0, $3, $4 from persons where id = $1`
  for (const [person, id, host, blocked] of [
    ['a', '1', 'old.example', null],
    ['a', '2', 'old.example', null],
    ['b', '3', 'old.example', null],
    ['b', '4', 'older.example', null],
    ['b', '5', 'pay.example', null],
    ['b', '6', '', null],
    ['b', '7', 'blocked.example', 1],
    ['closed', '8', 'old.example', null],
    ['op', '9', 'old.example', null],
  ])
    await owner.query(passkey, [person, id, host, blocked])
  const passkeys = async (more: NodeJS.ProcessEnv = {}) =>
    /^.*passkeys: .*$/m.exec((await checkConfig({ ...env, ...more }, noPrices)).text)?.[0]
  const ofMerchants =
    '3 passkeys of 2 merchants were made at old.example and do not work at pay.example; ' +
    '1 passkey of 1 merchant was made at older.example and does not work at pay.example'
  assert.equal(await passkeys(), `ok    passkeys: ${ofMerchants}`)
  const withConsole = { COFFER_OPERATOR_PORT: '8081', COFFER_OPERATOR_URL: 'https://console.example' }
  const ofOperators = '1 passkey of 1 operator was made at old.example and does not work at console.example'
  assert.equal(await passkeys(withConsole), `ok    passkeys: ${ofMerchants}; ${ofOperators}`, 'the signer is silent')

  const site = { chain: 'eth', rpId: 'console.example', origin: 'https://console.example', keys: 1 }
  const sites = [site, { chain: 'bsc', rpId: 'old.example', origin: 'https://old.example', keys: 2 }]
  const server = createServer(socket =>
    socket.on('data', text => {
      const { id, op } = JSON.parse(String(text))
      socket.end(`${JSON.stringify(op === 'releaseSites' ? { id, result: sites } : { id, refused: 'bad_request' })}\n`)
    }),
  )
  const path = join(env.COFFER_DATA!, 'signer.sock')
  await new Promise<void>(resolve => server.listen(path, resolve))
  t.after(() => server.close())
  assert.equal(
    await passkeys({ ...withConsole, COFFER_SIGNER_SOCKET: path }),
    `ok    passkeys: ${ofMerchants}; ${ofOperators}; 2 passkeys of policy.json for bsc are of https://old.example and ` +
      'cannot release payouts at https://console.example: name passkeys made there, with its "rpId" and "origin"',
  )
}
