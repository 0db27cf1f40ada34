import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigProblem, readConfig } from './config.ts'

const production = {
  COFFER_MODE: 'production',
  COFFER_PUBLIC_URL: 'https://pay.example',
  DATABASE_URL: 'postgres://coffer:x@127.0.0.1/coffer',
  COFFER_SECRET: '5f0c1d7a9e3b48261f7d0c9a8b6e4d21',
  COFFER_SMTP_URL: 'smtps://user:x@mail.example',
  COFFER_XPUB_EVM: 'xpub',
}
const refused = (env: NodeJS.ProcessEnv, words: RegExp) =>
  assert.throws(
    () => readConfig(env),
    error => error instanceof ConfigProblem && words.test(error.message),
  )

test('production requires every essential setting and refuses guessable secrets', () => {
  assert.equal(readConfig(production).mode, 'production')
  assert.equal(readConfig(production).callbackHttp, 'refuse')
  assert.equal(readConfig({ ...production, COFFER_CALLBACK_HTTP: 'allow' }).callbackHttp, 'allow')
  refused({ ...production, COFFER_CALLBACK_HTTP: 'yes' }, /COFFER_CALLBACK_HTTP is "yes": use refuse, allow/)
  assert.equal(readConfig(production).breachedUrl, 'https://api.pwnedpasswords.com')
  assert.equal(readConfig({ ...production, COFFER_BREACHED_URL: 'none' }).breachedUrl, '')
  assert.equal(readConfig(production).pricesUrl, '')
  const mirror = readConfig({ ...production, COFFER_PRICES_URL: 'https://prices.internal/coffer/' })
  assert.equal(mirror.pricesUrl, 'https://prices.internal/coffer')
  refused({ ...production, COFFER_PRICES_URL: 'http://prices.internal' }, /COFFER_PRICES_URL is not https: prices/)
  assert.equal(readConfig({}).breachedUrl, '', 'the sandbox calls nobody')
  assert.deepEqual(readConfig(production).callbackPrivate, [])
  const COFFER_CALLBACK_PRIVATE = '10.1.0.0/16, fd00::/8,192.168.7.9 Shop.internal'
  const list = ['10.1.0.0/16', 'fd00::/8', '192.168.7.9', 'shop.internal']
  assert.deepEqual(readConfig({ ...production, COFFER_CALLBACK_PRIVATE }).callbackPrivate, list)
  for (const bad of ['0.0.0.0/0', '::/0', '10.1.0.0/33', 'http://shop.internal', '*.internal', '10.1'])
    refused({ ...production, COFFER_CALLBACK_PRIVATE: bad }, /COFFER_CALLBACK_PRIVATE is ".*": use ranges and host/)
  assert.deepEqual(readConfig(production).callbackPorts, [])
  assert.deepEqual(readConfig({ ...production, COFFER_CALLBACK_PORTS: '8443, 9443' }).callbackPorts, [8443, 9443])
  for (const bad of ['0', '65536', '8443-8450', 'https', '*'])
    refused({ ...production, COFFER_CALLBACK_PORTS: bad }, /COFFER_CALLBACK_PORTS is ".*": use ports/)
  for (const name of Object.keys(production).filter(each => each !== 'COFFER_MODE'))
    refused({ ...production, [name]: '' }, new RegExp(`${name} is not set`))
  refused({ ...production, COFFER_PUBLIC_URL: 'pay.example' }, /COFFER_PUBLIC_URL is not an address/)
  for (const host of ['pay.example', '127.0.0.1.example', 'localhost.example:8080', '10.0.0.1'])
    refused({ ...production, COFFER_PUBLIC_URL: `http://${host}/` }, /COFFER_PUBLIC_URL is not https/)
  for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080'])
    assert.equal(readConfig({ ...production, COFFER_PUBLIC_URL: `http://${host}` }).publicUrl, `http://${host}`)
  for (const name of ['COFFER_PUBLIC_URL', 'COFFER_OPERATOR_URL'])
    for (const path of ['/pay', '/pay/', '/a/b', '/?x=1', '/#x'])
      refused({ ...production, [name]: `https://pay.example${path}` }, new RegExp(`^${name} has a path: [^\n]+$`))
  refused({ COFFER_PUBLIC_URL: 'http://localhost:8080/shop' }, /^COFFER_PUBLIC_URL has a path/)
  assert.equal(
    readConfig({ ...production, COFFER_PUBLIC_URL: 'https://Pay.example:443/' }).publicUrl,
    'https://Pay.example:443',
  )
  for (const DATABASE_URL of [
    '127.0.0.1/coffer',
    'https://127.0.0.1/coffer',
    'postgres://coffer:a/b#c@127.0.0.1/coffer',
  ])
    refused({ ...production, DATABASE_URL }, /^DATABASE_URL is not an address: .* in a password \/ is written %2F/)
  for (const DATABASE_URL of ['postgres://u:a%2Fb@host:5432/coffer', 'postgres://u@/coffer?host=/var/run/postgresql'])
    assert.equal(readConfig({ ...production, DATABASE_URL }).databaseUrl, DATABASE_URL)
  for (const COFFER_SMTP_URL of ['mail.example', 'https://mail.example', 'smtp://user:pass#word@mail.example'])
    refused({ ...production, COFFER_SMTP_URL }, /COFFER_SMTP_URL is not an address/)
  refused({ ...production, COFFER_SECRET: 'x'.repeat(31) }, /too short/)
  refused({ ...production, COFFER_SECRET: 'x'.repeat(64) }, /can be guessed/)
  refused({ ...production, COFFER_SECRET: readConfig({}).secret }, /can be guessed/)
})

test('all problems are reported at once, one per line', () => {
  refused(
    { COFFER_MODE: 'production', COFFER_PORT: '80a', DATABASE_URL: 'x', COFFER_LOG: 'loud' },
    /^COFFER_PORT is "80a".*\nCOFFER_PUBLIC_URL is not set.*\nDATABASE_URL is not an.*\n.*\n.*\n.*\nCOFFER_LOG is "loud"/,
  )
  refused({ COFFER_SECRET_FILE: '/nowhere/secret' }, /^COFFER_SECRET_FILE cannot be read/)
})

test('an unknown setting is refused in production, with the nearest known one', () => {
  refused(
    { ...production, COFFER_TRUST_PROXI: '1', COFFER_XPUB_TRN: 'xpub', COFFER_MODE: 'production' },
    /^COFFER_TRUST_PROXI is not a setting: the nearest is COFFER_TRUST_PROXY.*\nCOFFER_XPUB_TRN .* COFFER_XPUB_TRON;/,
  )
  const known = { COFFER_XPUB_TRON: 'xpub', COFFER_SIGNER_PASSPHRASE: 'x', COFFER_TRUST_PROXI: '' }
  assert.equal(readConfig({ ...production, ...known }).xpubs.tron, 'xpub')
  assert.equal(readConfig({ COFFER_SANDBOX_MINE: 'manual' }).mode, 'sandbox')
})

test('production settings without COFFER_MODE=production never start a sandbox', () => {
  for (const COFFER_MODE of [undefined, 'sandbox'])
    for (const name of ['COFFER_SMTP_URL', 'COFFER_XPUB_EVM'] as const)
      refused({ COFFER_MODE, [name]: production[name] }, new RegExp(`${name} is set, but COFFER_MODE`))
  refused({ ...production, COFFER_MODE: 'Production' }, /COFFER_MODE is "Production"/)
  assert.equal(readConfig({ DATABASE_URL: production.DATABASE_URL }).mode, 'sandbox')
})

test('every setting with a secret can come from a file', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-config-'))
  t.after(() => rm(folder, { recursive: true }))
  const env: NodeJS.ProcessEnv = { ...production }
  for (const name of ['DATABASE_URL', 'COFFER_SECRET', 'COFFER_SMTP_URL'] as const) {
    env[`${name}_FILE`] = join(folder, name)
    await writeFile(join(folder, name), `${production[name]}\n`)
    delete env[name]
  }
  const { databaseUrl, secret, smtpUrl } = readConfig(env)
  assert.deepEqual(
    [databaseUrl, secret, smtpUrl],
    [production.DATABASE_URL, production.COFFER_SECRET, production.COFFER_SMTP_URL],
  )
  refused({ ...env, DATABASE_URL_FILE: '/nowhere/url' }, /^DATABASE_URL_FILE cannot be read/)
})
