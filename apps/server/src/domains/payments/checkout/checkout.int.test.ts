import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, test } from 'node:test'
import { chainAdapters, tron } from '@coffer/chains'
import { errors, paymentStatus, routes } from '@coffer/contract'
import fastify from 'fastify'
import type { Deps } from '../../../deps.ts'
import { makeApp } from '../../../serve.ts'
import { nothingLive } from '../../../testing/deps.ts'
import { testApplication } from '../../../testing/merchants.ts'
import { bsc, eth, moneyWorld } from '../../../testing/money.ts'
import { streamCheckout } from './checkout-stream.ts'

type Checkout = ReturnType<(typeof routes)['GET /api/v1/checkout/:trade_no']['data']['parse']>

const hints = new EventEmitter().setMaxListeners(0)
const live: Deps['live'] = {
  ...nothingLive,
  onPayment: (tradeNo, listen) => {
    hints.on(tradeNo, listen)
    hints.emit('listening')
    return () => {
      hints.off(tradeNo, listen)
      hints.emit('left')
    }
  },
}
const world = await moneyWorld({ after }, { live })
const { deps, pay } = world
const app = await makeApp(deps)
after(() => {
  app.server.closeAllConnections()
  return app.close()
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })

const shape = routes['GET /api/v1/checkout/:trade_no'].data
async function look(tradeNo: string, choose?: string): Promise<Checkout> {
  const response = await app.inject({
    method: choose === undefined ? 'GET' : 'POST',
    url: `/api/v1/checkout/${tradeNo}${choose === undefined ? '' : '/choose'}`,
    ...(choose === undefined ? {} : { payload: { asset_id: choose } }),
  })
  assert.equal(response.statusCode, 200, response.body)
  const { data } = response.json()
  assert.deepEqual(shape.strict().parse(data), data)
  return data
}
const openOrder = (given = {}, by?: Parameters<typeof pay>[1]) =>
  pay({ chain: undefined, token: undefined, ...given }, by)

test('the checkout names the minimum of the chosen asset, unless the whole amount is less', async t => {
  await world.owner.query(`update assets set minimum = 20000 where id = '${eth.id}:USDT'`)
  t.after(() => world.owner.query('update assets set minimum = 0'))
  const minimumOf = async (amount: string) =>
    (await look((await openOrder({ amount })).trade_no, `${eth.id}:USDT`)).chosen?.minimum
  assert.deepEqual([await minimumOf('10'), await minimumOf('0.01')], ['0.02', ''])
})

test('the checkout shows the amount and the payee but no private merchant data', async () => {
  const { appid } = await testApplication(deps, world.merchant.id, {
    name: 'Night Shop',
    website: 'https://shop.example',
  })
  const contents = { amount: '19.90', currency: 'EUR', subject: 'Two tickets', attach: 'secret note' }
  const order = await openOrder(
    { ...contents, return_url: 'https://shop.example/thanks' },
    { merchantId: world.merchant.id, appid },
  )
  const seen = await look(order.trade_no)
  assert.deepEqual([seen.merchant_name, seen.merchant_url, seen.logo], ['Night Shop', 'https://shop.example', ''])
  assert.equal(seen.out_trade_no, order.out_trade_no)
  assert.deepEqual(
    [seen.subject, seen.usdt_amount, seen.fiat_name, seen.fiat_amount, seen.status, seen.return_url, seen.chosen],
    ['Two tickets', '21.89', 'EUR', '19.90', 1, 'https://shop.example/thanks', null],
  )
  assert.equal(seen.expire_time - seen.now, 1800)
  assert.deepEqual(
    seen.choices.map(each => [each.asset_id, each.amount]),
    [
      [`${bsc.id}:USDT`, '21.89'],
      [`${eth.id}:USDT`, '21.89'],
      [`${eth.id}:ETH`, '0.008756'],
      [`${eth.id}:USDC`, '21.89'],
    ],
  )
  const text = JSON.stringify(seen)
  for (const own of [order.appid, 'secret note', world.merchant.id, world.merchant.email, '/notify'])
    assert.ok(!text.includes(own), own)
})

test('choosing an asset returns address, exact amount and payment URI; repeating it is idempotent, another asset changes the URI', async () => {
  const { trade_no } = await openOrder()
  const first = await look(trade_no, `${eth.id}:USDT`)
  const { chosen } = first
  assert.match(chosen?.address ?? '', /^0x[0-9a-fA-F]{40}$/)
  assert.equal(
    chosen?.uri,
    `ethereum:${eth.tokens[0]?.contract}@31337/transfer?address=${chosen?.address}&uint256=10000000`,
  )
  assert.deepEqual(
    [chosen?.amount, chosen?.paid, chosen?.pending, chosen?.rest, chosen?.surplus],
    ['10', '0', '0', '10', '0'],
  )
  assert.deepEqual(await look(trade_no, `${eth.id}:USDT`), first)
  const native = (await look(trade_no, `${eth.id}:ETH`)).chosen
  assert.equal(native?.uri, `ethereum:${native?.address}@31337?value=4000000000000000`)
  const wide = (await look(trade_no, `${bsc.id}:USDT`)).chosen
  assert.equal(wide?.uri.split('uint256=')[1], '10000000000000000000')
})

test('the payment URI is the plain address where wallets support no URI scheme', () => {
  assert.equal(chainAdapters.tron.paymentUri({ chain: tron, contract: 'TR7', address: 'TXabc', amount: 5n }), 'TXabc')
})

test('unavailable assets are refused', async () => {
  const refused = async (tradeNo: string, payload: unknown, name: keyof typeof errors) => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/v1/checkout/${tradeNo}/choose`,
      payload: payload as object,
    })
    assert.equal(response.json().code, errors[name].code, JSON.stringify(payload))
  }
  const { trade_no } = await openOrder()
  await refused(trade_no, { asset_id: 'doge:DOGE' }, 'currency_not_supported')
  await refused(trade_no, { asset_id: `${eth.id}:USDT`, amount: '1' }, 'parameter_error')
  await refused(trade_no, {}, 'parameter_error')
  await refused('9'.repeat(32), { asset_id: `${eth.id}:USDT` }, 'transaction_not_exist')
  await refused('1', { asset_id: `${eth.id}:USDT` }, 'bad_trade_no')
  const fixed = await pay()
  assert.deepEqual(
    (await look(fixed.trade_no)).choices.map(each => each.asset_id),
    [`${eth.id}:USDT`],
  )
  await refused(fixed.trade_no, { asset_id: `${bsc.id}:USDT` }, 'currency_not_supported')
  const missing = await app.inject(`/api/v1/checkout/${'9'.repeat(32)}`)
  assert.equal(missing.json().code, errors.transaction_not_exist.code)
})

test('the checkout shows seen, partial, remaining, paid and excess amounts', async () => {
  const { trade_no, address } = await pay()
  await world.eth.add([{ to: address, amount: 4_000_000n }])
  const seen = await look(trade_no)
  assert.deepEqual([seen.status, seen.chosen?.pending, seen.chosen?.rest, seen.choices], [1, '4', '6', []])
  assert.deepEqual(
    seen.deposits.map(each => [each.state, each.chain, each.confirmations, each.required_confirmations]),
    [['seen', eth.name, 1, 3]],
  )
  await world.eth.confirm()
  const partial = await look(trade_no)
  assert.deepEqual(
    [partial.status, partial.exception, partial.chosen?.paid, partial.chosen?.rest],
    [1, 'partial', '4', '6'],
  )
  assert.match(partial.chosen?.uri ?? '', /uint256=6000000$/)
  await world.eth.add([{ to: address, amount: 7_500_000n }])
  await world.eth.confirm()
  const over = await look(trade_no)
  assert.deepEqual(
    [over.status, over.exception, over.chosen?.rest, over.chosen?.surplus, over.chosen?.uri],
    [2, 'over', '0', '1.5', ''],
  )
})

test('the checkout says whether the server is a sandbox', async () => {
  const { trade_no } = await openOrder()
  assert.equal((await look(trade_no)).sandbox, false)
  deps.config.mode = 'sandbox'
  assert.equal((await look(trade_no)).sandbox, true)
  deps.config.mode = 'production'
})

test('a chain that is stale or halted is shown as delayed', async () => {
  const { trade_no } = await pay()
  const touch = (readAt: number, halted: string | null) =>
    world.owner.query('update chains set read_at = $2, halted = $3 where id = $1', [eth.id, readAt, halted])
  await touch(deps.clock() - 30, null)
  assert.equal((await look(trade_no)).delayed, false)
  await touch(deps.clock() - 61, null)
  assert.equal((await look(trade_no)).delayed, true)
  await touch(deps.clock(), 'deep reorg')
  const halted = await look(trade_no)
  assert.deepEqual([halted.delayed, halted.choices.length], [true, 0])
  await touch(deps.clock(), null)
})

test('the stream sends the payment immediately and after each change, and unsubscribes on disconnect', async () => {
  const { trade_no, address } = await pay()
  const leave = new AbortController()
  const response = await fetch(`${origin}/api/v1/checkout/${trade_no}/events`, { signal: leave.signal })
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const events = readEvents(response)
  const next = async () => shape.strict().parse((await events.next()).value)
  const first = await next()
  assert.deepEqual(first, await look(trade_no))
  hints.emit(trade_no)
  await world.eth.add([{ to: address, amount: 10_000_000n }])
  hints.emit(trade_no)
  hints.emit(trade_no)
  for (let view = await next(); view.chosen?.pending !== '10'; view = await next())
    // The first hint may read the payment before the deposit and its deposits after it.
    assert.notDeepEqual(view.deposits, first.deposits, 'a hint without a change sends nothing')
  await world.eth.confirm()
  hints.emit(trade_no)
  let last = await next()
  while (last.status === paymentStatus.open) last = await next()
  assert.deepEqual([last.status, last.deposits[0]?.state], [2, 'credited'])
  const left = once(hints, 'left')
  leave.abort()
  await left
  assert.equal(hints.listenerCount(trade_no), 0)
})

test('a stream sends what changes during its first read', async t => {
  const { trade_no } = await openOrder()
  const before = await look(trade_no)
  const changed = { ...before, status: paymentStatus.closed }
  const views = [before, changed]
  const read = async () => {
    // The hint of the change, which the view does not have yet.
    if (views.length === 2) hints.emit('early')
    return views.shift() ?? changed
  }
  const server = fastify()
  server.get('/', (request, reply) => streamCheckout({ deps, ip: '203.0.113.9', reply, request }, 'early', read))
  t.after(() => {
    server.server.closeAllConnections()
    return server.close()
  })
  const events = readEvents(await fetch(await server.listen({ port: 0, host: '127.0.0.1' })))
  assert.deepEqual((await events.next()).value, before)
  // By itself the stream would look again after 15 s.
  assert.equal(views.length, 0)
  assert.deepEqual((await events.next()).value, changed)
})

test('a stream of an unknown payment is refused like a regular request', async () => {
  const response = await fetch(`${origin}/api/v1/checkout/${'9'.repeat(32)}/events`)
  assert.equal(response.status, 404)
  assert.equal(((await response.json()) as { code: number }).code, errors.transaction_not_exist.code)
})

test('concurrent streams per address are limited, and disconnecting frees their places', async () => {
  const { trade_no } = await pay()
  const leave = new AbortController()
  const ask = () => fetch(`${origin}/api/v1/checkout/${trade_no}/events`, { signal: leave.signal })
  const all = await Promise.all(Array.from({ length: 60 }, ask))
  assert.deepEqual(Map.groupBy(all, each => each.status).get(503)?.length, 10)
  leave.abort()
  while (hints.listenerCount(trade_no) > 0) await once(hints, 'left')
  const again = await fetch(`${origin}/api/v1/checkout/${trade_no}/events`)
  assert.equal(again.status, 200)
  await again.body?.cancel()
})

async function* readEvents(response: Response): AsyncGenerator<unknown> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6))
  }
}

test('no remaining amount is shown once pending deposits are within tolerance', async () => {
  const { appid } = await testApplication(deps, world.merchant.id, { tolerance_permille: 5 })
  const by = { merchantId: world.merchant.id, appid }
  const enough = await pay({}, by)
  const less = await pay({}, by)
  await world.eth.add([
    { to: enough.address, amount: 9_950_000n },
    { to: less.address, amount: 9_949_999n },
  ])
  const rests = [(await look(enough.trade_no)).chosen, (await look(less.trade_no)).chosen]
  assert.deepEqual(
    rests.map(chosen => [chosen?.rest, chosen?.uri === '']),
    [
      ['0', true],
      ['0.050001', false],
    ],
  )
})

test('a native coin has no token standard, and mixed payment lists the other accepted tokens', async () => {
  const { id } = world.merchant
  for (const mixed_payment of [true, false]) {
    const { appid } = await testApplication(deps, id, { mixed_payment })
    const { trade_no } = await openOrder({}, { merchantId: id, appid })
    const { chosen, choices } = await look(trade_no, `${eth.id}:ETH`)
    assert.equal(chosen?.net_work, '')
    assert.equal(choices.find(each => each.asset_id === `${eth.id}:ETH`)?.net_work, '')
    assert.equal(choices.find(each => each.asset_id === `${eth.id}:USDT`)?.net_work, 'ERC20')
    assert.equal(chosen?.counted.includes('USDT'), mixed_payment)
    assert.equal(chosen?.counted.includes('ETH'), false)
  }
})
