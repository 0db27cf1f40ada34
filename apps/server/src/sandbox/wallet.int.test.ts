import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract'
import fastify from 'fastify'
import { applicationKeyRateLimit, authenticateKey } from '../domains/applications/authenticate-key.ts'
import { applicationById, webhookSecretSealPlace } from '../domains/applications/store.ts'
import { haltChain } from '../domains/deposits/halt-chain.ts'
import { login } from '../domains/identity/sign-in/login.ts'
import { answerError } from '../http/errors.ts'
import { makeApp } from '../serve.ts'
import { visitor } from '../testing/merchants.ts'
import { bsc, eth, firstRow, moneyWorld } from '../testing/money.ts'
import { mountClock } from './clock.ts'
import { makeSandboxInbox } from './inbox.ts'
import { mountSandboxPage } from './page.ts'
import { mountPaymentReorg } from './reverse.ts'
import { deriveTestWebhookSecret, testLoginCredentials } from './test-login-credentials.ts'
import { ensureTestShop } from './test-shop.ts'
import { mountSandboxWallet, type SandboxTransfer, type SandboxWallet } from './wallet.ts'

test('lists unpaid orders with the subject, network and token their payer sees', async t => {
  const { deps, pay } = await moneyWorld(t)
  const app = fastify()
  t.after(() => app.close())
  mountSandboxPage(app, deps, makeSandboxInbox())
  await pay({ amount: '3', chain: undefined, token: undefined })
  const { trade_no } = await pay({ amount: '10', subject: 'Bread' })
  const { data } = (await app.inject({ url: '/sandbox/payments' })).json()
  const row = { trade_no, subject: 'Bread', chain: eth.name, token: 'USDT', amount: '10' }
  assert.deepEqual(data, { list: [row], total: 1 })
})

async function withWallet(t: Parameters<typeof moneyWorld>[0]) {
  const world = await moneyWorld(t)
  const spent: SandboxTransfer[] = []
  const app = fastify()
  t.after(() => app.close())
  app.setErrorHandler(answerError)
  const wallet: SandboxWallet = {
    spend: async spend => ({ txid: `0x${spent.push(spend)}` }),
    mine: async () => {},
    reorg: async () => {},
    revert: async (chainId, block) => {
      const { last } = await firstRow(world.owner, 'select last_number::int as last from chains where id = $1', [
        chainId,
      ])
      const { number, hash } = world.eth.reorg(last - block + 1).ancestor
      await haltChain(world.deps, { chainId, ancestor: { number, hash } })
    },
    chainIds: [],
  }
  mountSandboxWallet(app, world.deps, wallet)
  mountPaymentReorg(app, world.deps, wallet)
  mountClock(app, world.deps)
  const send = async (path: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `/sandbox/${path}`, payload })).json()
  return { ...world, spent, send }
}
const unchosen = { amount: '10', chain: undefined, token: undefined }

test('pays an order, and chooses chain and token when nobody has: USDT on Ethereum, or as asked', async t => {
  const { pay, payment, spent, send } = await withWallet(t)
  const order = await pay()
  assert.deepEqual(await send('pay', { trade_no: order.trade_no }), { code: 200, data: { txid: '0x1' } })
  const open = await pay(unchosen)
  assert.equal((await send('pay', { trade_no: open.trade_no, amount: '4' })).code, 200)
  const other = await pay(unchosen)
  assert.equal((await send('pay', { trade_no: other.trade_no, chain: bsc.id })).code, 200)
  const rows = [await payment(order.trade_no), await payment(open.trade_no), await payment(other.trade_no)]
  assert.deepEqual(
    rows.map(row => row.asset_id),
    ['eth:USDT', 'eth:USDT', 'bsc:USDT'],
  )
  assert.deepEqual(
    spent.map(({ chainId, to, amount }) => [chainId, to, amount]),
    [
      ['eth', rows[0].address, 10_000_000n],
      ['eth', rows[1].address, 4_000_000n],
      ['bsc', rows[2].address, 10n ** 19n],
    ],
  )
  // To the order's address, like a payer who sends something else.
  const aside = { trade_no: order.trade_no, token: eth.native.symbol }
  assert.deepEqual((await send('pay', aside)).field, 'amount')
  assert.equal((await send('pay', { ...aside, amount: '0.01' })).code, 200)
  assert.deepEqual(spent.at(-1), { chainId: 'eth', tokenContract: null, to: rows[0].address, amount: 10n ** 16n })
  const none = await pay(unchosen)
  const refused = await send('pay', { trade_no: none.trade_no, token: 'DOGE' })
  assert.deepEqual([refused.code, refused.field], [10004, 'token'])
  assert.deepEqual((await send('pay', { trade_no: '9'.repeat(32) })).field, 'trade_no')
})

test('moves time forward for payments and callbacks, and expires one payment', async t => {
  const { deps, owner, pay, payment, callbacks, send } = await withWallet(t)
  const order = await pay(unchosen)
  const other = await pay(unchosen)
  const ahead = deps.clock() + 100
  await owner.query('update callbacks set next_at = null')
  await owner.query(
    `insert into callbacks (merchant_id, id, appid, event, seq, url, body, status, next_at, created_at)
     select merchant_id, 'waiting', appid, 'test.ping', 1, '', '{}', 3, $1, $1 from applications`,
    [ahead],
  )
  assert.deepEqual((await send('clock', { seconds: 60 })).data, { payments: 2, callbacks: 1 })
  const [row] = (await owner.query(`select next_at::int from callbacks where id = 'waiting'`)).rows
  assert.equal(row.next_at, ahead - 60)
  assert.equal((await payment(order.trade_no)).state, 'open')
  const late = await pay(unchosen)
  assert.deepEqual((await send('clock', { seconds: 1800, trade_no: late.trade_no })).data, {
    payments: 1,
    callbacks: 0,
  })
  assert.deepEqual([(await payment(late.trade_no)).state, (await payment(order.trade_no)).state], ['timed_out', 'open'])
  await owner.query(`update callbacks set next_at = null where trade_no = $1`, [late.trade_no])
  assert.equal((await send('expire', { trade_no: order.trade_no })).data.status, paymentStatus.timed_out)
  assert.deepEqual(await callbacks(order.trade_no), ['payment.timeout'])
  assert.equal((await payment(other.trade_no)).state, 'open')
  await send('clock', { seconds: 1740 })
  assert.equal((await payment(other.trade_no)).state, 'timed_out')
  assert.equal((await send('expire', { trade_no: other.trade_no })).code, 10077)
  assert.equal((await send('expire', { trade_no: '9'.repeat(32) })).code, 10006)
  const wrong = await send('clock', { seconds: '5' })
  assert.deepEqual([wrong.code, wrong.field], [10002, 'seconds'])
  assert.match(wrong.msg, /seconds: a whole number from 1 to 2592000, not a string/)
})

test('reverses a payment that was final, and resumes its chain', async t => {
  const { owner, eth: chain, pay, payment, callbacks, send } = await withWallet(t)
  const order = await pay()
  await chain.add([{ to: order.address, amount: 10_000_000n }])
  assert.equal((await send('reverse', { trade_no: order.trade_no })).code, 10006, 'not final')
  await chain.confirm()
  assert.deepEqual(await send('reverse', { trade_no: order.trade_no }), {
    code: 200,
    data: { trade_no: order.trade_no },
  })
  assert.equal((await payment(order.trade_no)).state, 'in_doubt')
  assert.deepEqual((await callbacks(order.trade_no)).slice(-2), ['payment.paid', 'payment.error'])
  assert.equal((await firstRow(owner, 'select halted from chains where id = $1', [eth.id])).halted, null)
  const next = await pay()
  await chain.add([{ to: next.address, amount: 10_000_000n }])
  await chain.confirm()
  assert.equal((await payment(next.trade_no)).state, 'paid')
})

test('makes the test key ready, with a webhook secret of its own, and gives a later key to the same application', async t => {
  const { deps } = await moneyWorld(t)
  const [first, second] = ['1', '2'].map(each => `sk_test_${each.repeat(24)}`) as [string, string]
  await ensureTestShop(deps, first)
  await ensureTestShop(deps, first)
  const { key: _first, ...holder } = await authenticateKey(deps, { key: first, ip: '127.0.0.1' })
  const { webhook_secret } = (await applicationById(deps.pool, holder.merchantId, holder.appid))!
  assert.equal(deps.seal.open(webhook_secret, webhookSecretSealPlace(holder.appid)), deriveTestWebhookSecret(first))
  assert.match(deriveTestWebhookSecret(first), /^whsec_[A-Za-z0-9+/]{32}$/)
  await ensureTestShop(deps, second)
  const { key: _, ...now } = await authenticateKey(deps, { key: second, ip: '127.0.0.1' })
  assert.deepEqual(now, holder)
  await assert.rejects(authenticateKey(deps, { key: first, ip: '127.0.0.1' }), { reason: 'bad_key' })
  assert.ok((await login(deps, { ...testLoginCredentials, from: visitor })).token)
})

test('limits the calls of an application as in production', async t => {
  const { deps } = await moneyWorld(t, { config: { mode: 'sandbox' } })
  const app = await makeApp(deps)
  t.after(() => app.close())
  const key = `sk_test_${'3'.repeat(24)}`
  await ensureTestShop(deps, key)
  const ask = () =>
    app.inject({
      url: '/api/v1/pay/currencies',
      headers: { authorization: `Bearer ${key}` },
      remoteAddress: '127.0.0.1',
    })
  for (let i = 0; i < applicationKeyRateLimit.burst; i++) assert.equal((await ask()).statusCode, 200)
  const refused = await ask()
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '1'])
})
