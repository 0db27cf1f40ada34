import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { callbackStatus, notificationType, paymentStatus } from '@coffer/contract'
import type pg from 'pg'
import { breakOnce } from '../../testing/break.ts'
import { testStart } from '../../testing/deps.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testApplication, testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, firstRow, fixedPrices, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { applyBlocks } from './apply-blocks.ts'

const usdt = `${eth.id}:USDT`
const usdc = eth.tokens[1]!.contract

const applied = (world: MoneyWorld, event: ReturnType<MoneyWorld['eth']['next']>, pool?: pg.Pool) =>
  applyBlocks(pool ? { ...world.deps, pool } : world.deps, { chainId: eth.id, event })

const ofPayments = `select message, params from notifications where types in (${notificationType.payment}, ${notificationType.moved})`

/** The callbacks of the one paid order of a world say what was paid. */
async function assertReported(world: MoneyWorld, order: { trade_no: string }): Promise<void> {
  const reported = await rowsOf(world.owner, 'select * from callbacks order by seq')
  assert.deepEqual(
    reported.map(each => [each.event, each.url, each.status, each.amount, each.token]),
    [
      ['payment.seen', 'https://shop.example/notify', callbackStatus.pending, '10', 'USDT'],
      ['payment.paid', 'https://shop.example/notify', callbackStatus.pending, '10', 'USDT'],
    ],
  )
  const body = JSON.parse(reported[1].body)
  assert.deepEqual([body.type, Date.parse(body.timestamp)], ['payment.paid', world.deps.clock() * 1000])
  const { trade_no, status, paid_amount, fees, deposits } = body.data
  assert.deepEqual([trade_no, status, paid_amount, fees], [order.trade_no, paymentStatus.paid, '10', '0.04'])
  const { txid, state, confirmations } = deposits[0]
  assert.deepEqual([txid, state, confirmations], ['0xfeed', 'credited', 3])
}

test('a payment is seen, confirmed and credited, with its fee, statistics, notification and callbacks', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n, txid: '0xfeed' }])
  assert.equal((await world.payment(order.trade_no)).pending_amount, '10000000')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen'])
  await world.eth.add()
  assert.equal((await world.payment(order.trade_no)).state, 'open')
  assert.equal(await world.balance(usdt), '0')
  world.deps.pass(24)
  await world.eth.add()
  const paid = await world.payment(order.trade_no)
  assert.deepEqual(
    [paid.state, paid.exception, paid.paid_amount, paid.pending_amount, paid.fees, paid.paid_at],
    ['paid', 'none', '10000000', '0', '40000', world.deps.clock()],
  )
  assert.equal(await world.balance(usdt), '9960000')
  await assertReported(world, order)
  const notifications = await rowsOf(world.owner, ofPayments)
  assert.deepEqual(notifications, [
    {
      message: 'payment_paid',
      params: {
        trade_no: order.trade_no,
        out_trade_no: order.out_trade_no,
        amount: '10',
        asked: '10',
        token: 'USDT',
        chain: 'Ethereum',
      },
    },
  ])
  const gained = await firstRow(
    world.owner,
    `select asset_id, at, sum(paid_num) as paid, sum(volume_usdt) as volume, sum(income_usdt) as income
     from statistics_changes where asset_id <> '' group by asset_id, at`,
  )
  const ofPaid = { paid: 1, volume: `10${'0'.repeat(18)}`, income: `996${'0'.repeat(16)}` }
  assert.deepEqual(gained, { asset_id: usdt, at: world.deps.clock(), ...ofPaid })
  const postings = await rowsOf(
    world.owner,
    'select p.kind, p.debit_account, p.credit_account, p.amount, g.memo from ledger_postings p join ledger_groups g on g.id = p.group_id order by p.id',
  )
  const mine = `${world.merchant.id}/available/${usdt}`
  assert.deepEqual(
    postings.map(each => [each.kind, each.debit_account, each.credit_account, each.amount]),
    [
      ['payment', `house/chain/${usdt}`, mine, '10000000'],
      ['fee', mine, `house/fees/${usdt}`, '40000'],
    ],
  )
  assert.deepEqual(postings[0].memo, {
    trade_no: order.trade_no,
    txid: '0xfeed',
    from_address: '0x7777777777777777777777777777777777777777',
    to_address: order.address,
  })
  await assertBooksAgree(world.owner)
})

test("a merchant's own fee overrides the configured one", async t => {
  const world = await moneyWorld(t)
  await world.owner.query('update merchants set fee_bps = 0 where id = $1', [world.merchant.id])
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.equal(await world.balance(usdt), '10000000')
  await assertBooksAgree(world.owner)
})

type Story = [what: string, sent: bigint[], state: string, exception: string, callbacks: string]
const stories: Story[] = [
  ['underpaid', [4_000_000n], 'open', 'partial', 'seen partial'],
  ['paid in three parts', [4_000_000n, 3_000_000n, 3_000_000n], 'paid', 'none', 'seen seen seen partial partial paid'],
  ['overpaid in one transfer', [12_000_000n], 'paid', 'over', 'seen paid over'],
  ['paid and then overpaid', [10_000_000n, 5n], 'paid', 'over', 'seen seen paid over'],
  ['underpaid with a single base unit', [1n], 'open', 'partial', 'seen partial'],
]
for (const [what, sent, state, exception, callbacks] of stories) {
  test(`a payment is ${what}`, async t => {
    const world = await moneyWorld(t)
    const order = await world.pay()
    await world.eth.add(sent.map(amount => ({ to: order.address, amount })))
    await world.eth.confirm()
    const row = await world.payment(order.trade_no)
    assert.deepEqual([row.state, row.exception], [state, exception])
    assert.equal(row.paid_amount, String(sent.reduce((a, b) => a + b)))
    assert.deepEqual((await world.callbacks(order.trade_no)).join(' ').replaceAll('payment.', ''), callbacks)
    await assertBooksAgree(world.owner)
  })
}

test("a shortfall within the application's tolerance still pays the payment", async t => {
  const world = await moneyWorld(t)
  const { appid } = await testApplication(world.deps, world.merchant.id, { tolerance_permille: 5 })
  const order = await world.pay({}, { merchantId: world.merchant.id, appid })
  await world.eth.add([{ to: order.address, amount: 9_950_000n }])
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.deepEqual(await world.callbacks(order.trade_no), [], 'that application has no notify URL')
  await assertBooksAgree(world.owner)
})

test('each transfer of a transaction is a separate deposit', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const sent = [0, 1, 2].map(ordinal => ({ to: order.address, amount: 4_000_000n, txid: '0xone', ordinal }))
  await world.eth.add(sent)
  await world.eth.confirm()
  assert.deepEqual(
    (await world.deposits(order.trade_no)).map(each => each.state),
    ['credited', 'credited', 'credited'],
  )
  assert.equal((await world.payment(order.trade_no)).exception, 'over')
})

test('transfers of unknown tokens and to other addresses are ignored', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([
    { to: order.address, amount: 10_000_000n, token: '0x00000000000000000000000000000000000000ff' },
    { to: '0x00000000000000000000000000000000000000bb', amount: 10_000_000n },
  ])
  await world.owner.query('update assets set enabled = false where id = $1', [usdt])
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  assert.equal((await firstRow(world.owner, 'select count(*) from deposits')).count, 0)
})

test('the requested token also counts on another network, converted by its own decimals', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.bsc.add([{ to: order.address, amount: 10n ** 19n }])
  await world.bsc.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount, row.fees], ['paid', 'none', '10000000', '40000'])
  assert.equal(await world.balance(`${bsc.id}:USDT`), '9960000000000000000')
  assert.equal(await world.balance(usdt), '0')
  const where = `select params ->> 'chain' as told, body::json #>> '{data,deposits,0,chain}' as called from notifications, callbacks
    where message = 'payment_paid' and event = 'payment.paid'`
  assert.deepEqual({ ...(await firstRow(world.owner, where)) }, { told: bsc.name, called: bsc.name })
  await assertBooksAgree(world.owner)
})

test('another token counts at its locked rate if the application allows mixed payment, and is always credited', async t => {
  const world = await moneyWorld(t)
  const strict = await testApplication(world.deps, world.merchant.id, { mixed_payment: false })
  const mixed = await world.pay()
  const pure = await world.pay({}, { merchantId: world.merchant.id, appid: strict.appid })
  await world.eth.add([
    { to: mixed.address, amount: 6_000_000n },
    { to: mixed.address, amount: 1_600_000_000_000_000n, token: null },
    { to: pure.address, amount: 10_000_000n, token: usdc },
  ])
  await world.eth.confirm()
  const paid = await world.payment(mixed.trade_no)
  assert.deepEqual([paid.state, paid.exception, paid.paid_amount], ['paid', 'none', '10000000'])
  const open = await world.payment(pure.trade_no)
  assert.deepEqual([open.state, open.paid_amount], ['open', '0'])
  assert.equal((await world.deposits(pure.trade_no))[0].state, 'credited')
  assert.equal(await world.balance(`${eth.id}:USDC`), '9960000')
  assert.equal(await world.balance(`${eth.id}:ETH`), '1593600000000000')
  await assertBooksAgree(world.owner)
})

test('two transfers in another token pay the exact amount', async t => {
  const world = await moneyWorld(t, { prices: fixedPrices({ USDT: '1', USDC: '0.9997' }, () => testStart) })
  const order = await world.pay()
  for (const amount of [5_000_000n, 5_003_001n]) await world.eth.add([{ to: order.address, amount, token: usdc }])
  await world.eth.confirm()
  const row = await world.payment(order.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['paid', 'none', '10000000'])
})

test('a transfer to a fixed address is a recharge without fee or payment', async t => {
  const world = await moneyWorld(t)
  const merchantId = world.merchant.id
  const chainIds = [eth.id, eth.id, bsc.id]
  const [first, again, other] = await Promise.all(
    chainIds.map(chainId => assignFixedAddress(world.deps, merchantId, chainId)),
  )
  assert.equal(first!.id, again!.id)
  assert.deepEqual([other!.address === first!.address, other!.id === first!.id], [true, false])
  await world.eth.add([{ to: first!.address, amount: 7_000_000n }])
  await world.eth.confirm()
  assert.equal(await world.balance(usdt), '7000000')
  const [reported] = await rowsOf(world.owner, ofPayments)
  assert.deepEqual(reported, {
    message: 'recharge_credited',
    params: { address: chainAdapters.evm.address.show(first!.address), amount: '7', token: 'USDT', chain: 'Ethereum' },
  })
  assert.equal((await firstRow(world.owner, 'select count(*) from callbacks')).count, 0)
  assert.equal((await firstRow(world.owner, 'select kind from deposits')).kind, 'recharge')
  await assertBooksAgree(world.owner)
})

test('a late deposit belongs to the previous payment at the address, never to the next one', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay()
  const begin = world.deps.clock()
  // Force the second payment onto the same address to test which payment gets the deposit.
  world.deps.pass(10_000)
  const second = await world.pay()
  await world.owner.query('update address_leases set address = $1', [first.address])
  const send = async (time: number) => {
    await world.eth.add([{ to: first.address, amount: 1_000_000n }], time)
    const { rows } = await world.owner.query('select trade_no, late from deposits order by block_number desc limit 1')
    return rows[0]
  }
  assert.deepEqual(await send(begin), { trade_no: first.trade_no, late: false })
  assert.deepEqual(await send(begin + 9_999), { trade_no: first.trade_no, late: true })
  assert.deepEqual(await send(begin + 10_000), { trade_no: second.trade_no, late: false })
  assert.deepEqual(await send(begin - 30), { trade_no: first.trade_no, late: false }, 'a chain whose clock is behind')
  await assertBooksAgree(world.owner)
})

test('a block is applied once, despite repeats, concurrency and restarts', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const events = [world.eth.next([{ to: order.address, amount: 10_000_000n }]), world.eth.next(), world.eth.next()]
  for (const event of events) {
    const results = await Promise.all(Array.from({ length: 5 }, () => applied(world, event)))
    assert.equal(results.filter(Boolean).length, 1)
  }
  for (const event of events) assert.equal(await applied(world, event), false)
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen', 'payment.paid'])
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

const moments = [
  'with given as',
  'update payments',
  'insert into payment_history',
  'with r as materialized',
  'insert into statistics_changes',
  'select source, group_id',
  'with moved as',
  'commit',
]
for (const moment of moments) {
  test(`a crash before "${moment}" changes nothing, and the retry applies the whole block`, async t => {
    const world = await moneyWorld(t)
    const order = await world.pay()
    await world.eth.add([{ to: order.address, amount: 10_000_000n }])
    await world.eth.add()
    const event = world.eth.next([{ to: order.address, amount: 500n }])
    const pool = breakOnce(world.deps.pool, new RegExp(`^\\s*${moment}`))
    const before = await firstRow(world.owner, 'select count(*) from payment_history')
    await assert.rejects(applied(world, event, pool), /killed here/)
    assert.deepEqual(await firstRow(world.owner, 'select count(*) from payment_history'), before)
    assert.equal(await world.balance(usdt), '0')
    assert.equal(await applied(world, event, pool), true)
    assert.equal(await world.balance(usdt), '9960000')
    await assertBooksAgree(world.owner)
  })
}

test('rejects blocks that do not follow and blocks read without every address', async t => {
  const world = await moneyWorld(t)
  await world.pay()
  const event = world.eth.next()
  const { block } = event
  const { next_index: asOf } = await firstRow(world.owner, 'select next_index from address_counters')
  const refusals: [what: string, event: typeof event][] = [
    ['a gap', { ...event, from: event.from + 1, block: { ...block, number: block.number + 1 } }],
    ['another parent', { ...event, parentHash: '0xother', block: { ...block, parentHash: '0xother' } }],
    ['a range with another parent', { ...event, parentHash: '0xother', block: { ...block, number: block.number + 2 } }],
    [
      'another block at a height that was applied',
      { ...event, from: block.number - 1, block: { ...block, number: block.number - 1 } },
    ],
    ['addresses given out that were not looked for', { ...event, asOf: asOf - 1 }],
  ]
  for (const [what, each] of refusals) await assert.rejects(applied(world, each), { name: 'OutOfOrder' }, what)
  assert.equal(await applied(world, { ...event, asOf }), true)
})

test('a halted chain applies no blocks', async t => {
  const world = await moneyWorld(t)
  await world.owner.query(`update chains set halted = 'x' where id = $1`, [eth.id])
  await assert.rejects(applied(world, world.eth.next()), { reason: 'chain_unavailable' })
})

test('final deposits in a range of blocks are credited in one step, which does not report them as seen', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  const sent = (amount: bigint) => world.eth.next([{ to: order.address, amount }])
  const range = world.eth.range([sent(4_000_000n), world.eth.next(), sent(6_000_000n)])
  assert.equal(await applied(world, range), true)
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.partial', 'payment.paid'])
  const events = 'select array_agg(event order by seq) as events from payment_history where trade_no = $1'
  const { rows } = await world.owner.query(events, [order.trade_no])
  assert.deepEqual(rows[0].events, ['created', 'asset_chosen', 'deposit_credited', 'deposit_credited'])
  await assertBooksAgree(world.owner)
})

test('callbacks with the same timestamp are listed in event order', async t => {
  const world = await moneyWorld(t)
  const orders = await Promise.all(Array.from({ length: 8 }, () => world.pay()))
  const event = world.eth.next([...orders, ...orders].map(order => ({ to: order.address, amount: 5_000_000n })))
  await applied(world, world.eth.range([event]))
  for (const { trade_no } of orders) {
    const { rows } = await world.owner.query(
      'select event from callbacks where trade_no = $1 order by created_at, id',
      [trade_no],
    )
    const listed = rows.map(row => row.event)
    assert.deepEqual(listed, await world.callbacks(trade_no))
    assert.ok(listed.length > 1)
  }
})

test('a block with a thousand deposits takes as many statements as one with ten', async t => {
  const world = await moneyWorld(t)
  const others = await Promise.all([1, 2, 3].map(() => testMerchant(world.deps)))
  const apps = await Promise.all(
    others.map(({ id }) => testApplication(world.deps, id, { notify_url: 'https://shop.example/' })),
  )
  const by = others.map(({ id }, index) => ({ merchantId: id, appid: apps[index]!.appid }))
  const addresses: string[] = []
  for (let i = 0; i < 100; i++) {
    const orders = await Promise.all(
      Array.from({ length: 10 }, (_, index) => world.pay({ out_trade_no: `n-${i}-${index}` }, by[index % 3])),
    )
    addresses.push(...orders.map(each => each.address))
  }
  const counted = async (to: string[]) => {
    let statements = 0
    const pool = counting(world.deps.pool, () => statements++)
    await applied(world, world.eth.next(to.map(address => ({ to: address, amount: 10_000_000n }))), pool)
    for (let i = 1; i < eth.confirmations; i++) await applied(world, world.eth.next(), pool)
    return statements
  }
  const ofTen = await counted(addresses.slice(0, 10))
  assert.equal(await counted(addresses), ofTen)
  const { rows } = await world.owner.query('select status, exception, count(*) from payments group by 1, 2 order by 3')
  assert.deepEqual(rows, [
    { status: paymentStatus.paid, exception: 'over', count: 10 },
    { status: paymentStatus.paid, exception: 'none', count: 990 },
  ])
  await assertBooksAgree(world.owner)
})

/** Wraps the pool and calls `count` for each statement that its connections execute. */
const counting = (pool: pg.Pool, count: () => void): pg.Pool =>
  new Proxy(pool, {
    get: (target, name) =>
      name === 'connect'
        ? async () => {
            const client = await target.connect()
            return new Proxy(client, {
              get(connection, key) {
                const value = Reflect.get(connection, key)
                if (key === 'query') count()
                return typeof value === 'function' ? value.bind(connection) : value
              },
            })
          }
        : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
  })
