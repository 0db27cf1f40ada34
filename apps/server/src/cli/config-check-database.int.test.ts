// second-server: logs in as a role with a password, over TCP
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  const good = await checkConfig(env, noPrices)
  assert.match(good.text, /^ok {4}database: answers, is up to date/m)
  assert.match(good.text, /^ok {4}mail: the mail server accepts/m)
  assert.match(
    good.text,
    /^ok {4}node 1 of eth: chain id 1, block 7; what a block holds can be read and is verified.*; The network forks on 2096-10-02 07:06 UTC/m,
  )
  assert.equal((await owner.query('select 1 from chains')).rowCount, 0, 'nothing was written')
  await owner.query(`insert into fingerprints values ('xpub evm', 'another', 1)`)
  assert.match((await checkConfig(env, noPrices)).text, /^FAIL {2}database: COFFER_XPUB_EVM is not the key that/m)
})
