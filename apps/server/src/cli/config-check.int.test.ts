import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { startTronFacade } from '@coffer/chains/tron/facade.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { smtpMailer } from '../outside/mail.ts'
import { startSandboxPriceFeed } from '../sandbox/prices.ts'
import { ethereumNode, keys, mailServer, noPrices, nowhere, settings } from '../testing/config-world.ts'
import { placeRecords, writePlacesFile } from '../testing/places-file.ts'
import { checkConfig } from './config-check.ts'

test('names everything that is missing or unknown at once', async t => {
  const { COFFER_CHAINS, COFFER_DATA } = await settings(t, [nowhere])
  const env = { COFFER_MODE: 'production', COFFER_CHAINS, COFFER_DATA, COFFER_SMTP_URI: 'x' }
  const { code, text } = await checkConfig(env, noPrices)
  assert.equal(code, 1)
  for (const name of ['COFFER_PUBLIC_URL', 'DATABASE_URL', 'COFFER_SECRET', 'COFFER_SMTP_URL', 'COFFER_XPUB_EVM'])
    assert.match(text, new RegExp(`^FAIL  settings: ${name} is not set`, 'm'))
  assert.match(text, /^FAIL {2}settings: COFFER_SMTP_URI is not a setting: the nearest is COFFER_SMTP_URL/m)
  const tron = { ...(await settings(t, [])), COFFER_XPUB_EVM: 'xpub-no', COFFER_CHAINS: '/nowhere/chains.json' }
  assert.match(
    (await checkConfig(tron, noPrices)).text,
    /^FAIL {2}settings: the chains file \/nowhere\/chains.json cannot/m,
  )
  writeFileSync(
    COFFER_CHAINS,
    JSON.stringify({
      chains: [
        { id: 'eth', nodes: [{ url: nowhere }] },
        { id: 'tron', nodes: [{ url: nowhere, http: nowhere }] },
      ],
    }),
  )
  const xpubs = await checkConfig({ ...(await settings(t, [])), COFFER_XPUB_EVM: 'xpub-no', COFFER_CHAINS }, noPrices)
  assert.match(xpubs.text, /COFFER_XPUB_EVM is not an extended public key.*\n?.*/)
  assert.match(xpubs.text, /COFFER_XPUB_TRON is not set: the chains file needs it/)
})

test('reads the database of places, and names one that is broken', async t => {
  const env = { COFFER_MODE: 'sandbox', COFFER_PLACES: join((await settings(t, [])).COFFER_DATA!, 'city.mmdb') }
  const missing = await checkConfig(env, noPrices)
  assert.deepEqual(
    [missing.code, /^FAIL {2}places: .*city\.mmdb cannot be read \(ENOENT\)/m.test(missing.text)],
    [1, true],
  )
  writePlacesFile(env.COFFER_PLACES, placeRecords)
  const good = await checkConfig(env, noPrices)
  assert.deepEqual([good.code, /^ok {4}places: /m.test(good.text)], [0, true])
})

test('tries database, mail, nodes and prices, and says what is wrong with each', async t => {
  const other = await ethereumNode(t, 5)
  const withheld = await ethereumNode(t, 1, [{ status: '0x1' }])
  const nodes = [nowhere, `http://127.0.0.1:${other}`, `http://127.0.0.1:${withheld}`]
  const { code, text } = await checkConfig(await settings(t, nodes), noPrices)
  assert.equal(code, 1)
  assert.match(text, /^ok {4}settings: complete for production of Coffer /m)
  assert.match(text, /^FAIL {2}database: No database answers where DATABASE_URL points/m)
  assert.match(text, /^FAIL {2}mail: No mail server answers where COFFER_SMTP_URL points\. Correct host/m)
  assert.match(text, /^FAIL {2}node 1 of eth: .*: correct its URL or headers in the chains file/m)
  assert.match(text, /^FAIL {2}node 2 of eth: .*5/m)
  assert.match(text, /^FAIL {2}node 3 of eth: .*not one receipt for each transaction/m)
  assert.match(text, /^FAIL {2}prices: sources that answer: none.* Prices need 2/m)
})

test('reads a whole block of each chain of the manual, and says how what it holds is believed', async t => {
  const env = { ...(await settings(t, [])), COFFER_XPUB_TRON: keys.xpub('tron') }
  const world = await makeWorld((await withAnvil(t)).url)
  await world.mine(1)
  const facade = await startTronFacade(world.url)
  t.after(facade.stop)
  const nodes = async (digits: number | string) => [{ url: `http://127.0.0.1:${await ethereumNode(t, digits)}` }]
  const described = { id: 'unichain', name: 'Unichain', network: 'Unichain', confirmations: 40, blockTime: 2 }
  const chains = [
    { id: 'eth', nodes: await nodes(1) },
    { id: 'bsc', nodes: await nodes(38) },
    { id: 'polygon', nodes: await nodes(89) },
    { id: 'base', nodes: await nodes(2105) },
    { id: 'optimism', nodes: await nodes('a') },
    { id: 'arbitrum', nodes: await nodes('a4b1') },
    { id: 'avalanche', nodes: await nodes('a86a') },
    { ...described, chainId: 130, native: { symbol: 'ETH', decimals: 18 }, tokens: [], nodes: await nodes(82) },
    { id: 'tron', chainId: 31_337, nodes: [{ url: facade.url, http: facade.http }] },
  ]
  writeFileSync(env.COFFER_CHAINS, JSON.stringify({ chains }))
  const { text } = await checkConfig(env, noPrices)
  for (const [id, how] of [
    ['eth', 'verified by its roots'],
    ['bsc', 'verified by its roots'],
    ['polygon', 'proved by its roots; what none covers is believed if most nodes agree'],
    ['base', 'verified by its roots'],
    ['optimism', 'verified by its roots'],
    ['arbitrum', 'verified by its roots'],
    ['avalanche', 'proved by its roots; what none covers is believed if most nodes agree'],
    ['unichain', 'verified by its roots'],
    ['tron', 'believed if most nodes agree'],
  ])
    assert.match(text, new RegExp(`^ok    node 1 of ${id}: .*what a block holds can be read and is ${how}`, 'm'))
  for (const what of ['eth_getLogs', '/wallet/gettransactioninfobyblocknum', '/wallet/getblockbyid']) {
    facade.alter = (method, answer) => (method === what ? { Error: 'not found' } : answer)
    assert.match((await checkConfig(env, noPrices)).text, /^FAIL {2}node 1 of tron: /m, what)
  }
})

test('prices are read at a mirror that the settings name, whose silence is a fault', async t => {
  const feed = await startSandboxPriceFeed()
  t.after(feed.stop)
  const env = await settings(t, [nowhere])
  const at = async (url: string) => (await checkConfig({ ...env, COFFER_PRICES_URL: url })).text
  const mirror = new URL(feed.at.binance).origin
  assert.match(await at(mirror), /^ok {4}prices: .*: binance, okx, coinbase, kraken, ecb; that do not: none$/m)
  assert.match(await at(nowhere), /^FAIL {2}prices: .*none.* set COFFER_PRICES_URL to a mirror/m)
})

test('a mail is accepted or its refusal explained', async t => {
  const smtpUrl = `smtp://127.0.0.1:${await mailServer(t)}`
  const mailFrom = 'Coffer <no-reply@pay.example>'
  const mailer = smtpMailer({ smtpUrl, smtpBackupUrl: '', mailFrom, publicUrl: 'https://pay.example' })
  await mailer.check()
  const mail = { subject: 'x', text: 'y' }
  await mailer.send({ ...mail, to: 'ann@shop.example' })
  await assert.rejects(mailer.send({ ...mail, to: 'ann@refused.example' }), { code: 'EENVELOPE' })
})
