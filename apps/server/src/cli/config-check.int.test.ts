// second-server: logs in as a role with a password, over TCP
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Json } from '@coffer/chains/evm/encoding.ts'
import { makeWorld } from '@coffer/chains/testing/evm-harness.ts'
import { startTronFacade } from '@coffer/chains/tron/facade.ts'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import { databaseUrl, withPostgres } from '@coffer/local/testing/postgres.ts'
import pg from 'pg'
import { migrate } from '../migrations/migrate.ts'
import { smtpMailer } from '../outside/mail.ts'
import { Keys } from '../signer/keys.ts'
import { placeRecords, writePlacesFile } from '../testing/places-file.ts'
import { blockJson, word } from '../testing/simulation/sim-json.ts'
import { checkConfig } from './config-check.ts'

const keys = new Keys(new Uint8Array(64).fill(1))

async function portOf(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A mail server without TLS. It refuses recipients at refused.example. */
const mailServer = (t: TestContext) =>
  portOf(
    t,
    createTcpServer(socket => {
      let isData = false
      let rest = ''
      socket.on('error', () => {}).write('220 mail.example\r\n')
      socket.on('data', data => {
        const lines = (rest + data).split('\r\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (isData && line !== '.') continue
          if (line.startsWith('QUIT')) return socket.end('221 bye\r\n')
          const refused = line.includes('refused.example')
          isData = line === 'DATA'
          socket.write(refused ? '550 no such mailbox\r\n' : isData ? '354 go on\r\n' : '250 ok\r\n')
        }
      })
    }),
  )

/** A node of Ethereum at block 7. */
const ethereumNode = (t: TestContext, chainId: number | string = 1, receipts: object[] = []) =>
  portOf(
    t,
    createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const block = (number: number) => {
        const { header } = blockJson(
          { number, parentHash: word('0'), time: number, baseFee: 1n, stateRoot: word('0'), kind: 'evm' },
          [],
          0,
          word('1'),
        )
        return { ...header, transactions: [] }
      }
      const result = (method: string, [which]: [string]) => {
        if (method === 'eth_chainId') return `0x${chainId}`
        if (method === 'eth_getBlockReceipts') return receipts
        if (method === 'eth_config') return { next: { activationTime: 4_000_000_000 } }
        if (method === 'eth_getBlockByHash') return [5, 6, 7].map(block).find(each => (each as Json).hash === which)
        return block(which === 'latest' ? 7 : Number(which))
      }
      const answer = (call: { id: number; method: string; params: [string] }) => ({
        jsonrpc: '2.0',
        id: call.id,
        result: result(call.method, call.params),
      })
      const calls = JSON.parse(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(calls) ? calls.map(answer) : answer(calls)))
    }),
  )

const nowhere = 'http://127.0.0.1:1'
const noPrices = { binance: nowhere, okx: nowhere, coinbase: nowhere, kraken: nowhere, ecb: nowhere }

async function settings(t: TestContext, nodes: string[]): Promise<NodeJS.ProcessEnv & { COFFER_CHAINS: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-check-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const chains = join(folder, 'chains.json')
  writeFileSync(chains, JSON.stringify({ chains: [{ id: 'eth', nodes: nodes.map(url => ({ url })) }] }))
  return {
    COFFER_MODE: 'production',
    COFFER_DATA: folder,
    COFFER_PUBLIC_URL: 'https://pay.example',
    COFFER_SECRET: '5f0c1d7a9e3b48261f7d0c9a8b6e4d21',
    COFFER_XPUB_EVM: keys.xpub('evm'),
    COFFER_CHAINS: chains,
    COFFER_SMTP_URL: 'smtp://127.0.0.1:1',
    DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
  }
}

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

test('a mail is accepted or its refusal explained', async t => {
  const mailer = smtpMailer(`smtp://127.0.0.1:${await mailServer(t)}`, 'Coffer <no-reply@pay.example>')
  await mailer.check()
  const mail = { subject: 'x', text: 'y' }
  await mailer.send({ ...mail, to: 'ann@shop.example' })
  await assert.rejects(mailer.send({ ...mail, to: 'ann@refused.example' }), { code: 'EENVELOPE' })
})
