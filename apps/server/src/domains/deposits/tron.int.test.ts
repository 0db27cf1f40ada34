import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { registry } from '../../kit/metrics.ts'
import { makeApp } from '../../serve.ts'
import { call } from '../../testing/call.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { firstRow, rowsOf } from '../../testing/money.ts'
import { addressAt as at, CONFIRMATIONS, tronWorld } from '../../testing/tron-world.ts'
import { addressHandlers } from '../addresses/routes.ts'
import { delayedChains } from '../chains/chain-delay.ts'
import { readQueuePause } from '../chains/pause-queue.ts'
import { currencyHandlers } from '../chains/routes.ts'
import destinations from '../destinations/domain.ts'
import { fundFlowHandlers } from '../fund-flow/routes.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { readTxids } from '../payments/records/export.ts'
import { paymentHandlers } from '../payments/routes.ts'
import { type BalanceReading, findNativeDeposits } from './find-native-deposits.ts'
import { resumeChain } from './resume-chain.ts'

type Raw = Record<string, unknown>

const { show } = chainAdapters.tron.address

test('a USDT payment on TRON is credited once', async t => {
  const w = await tronWorld(t)
  const order = await w.order()
  assert.equal(order.to, at(0))
  const [txid] = await w.pay([[{ token: w.token, to: order.to, amount: 10_000_000n }]])
  await w.catchUp()
  assert.deepEqual([await w.states(order.trade_no), await w.balance('USDT')], [['seen'], '0'])
  await w.mine(CONFIRMATIONS - 2)
  await w.catchUp()
  assert.deepEqual([await w.states(order.trade_no), await w.state(order.trade_no)], [['seen'], 'open'])
  await w.mine(1)
  await w.catchUp()
  await w.mine(30)
  await Promise.all([w.catchUp(), w.catchUp()])
  const [deposit, ...more] = await w.deposits(order.trade_no)
  assert.deepEqual([deposit.state, deposit.txid, deposit.amount, more.length], ['credited', txid, '10000000', 0])
  assert.ok(deposit.gas_read && Number(deposit.gas) > 0)
  assert.equal(await w.state(order.trade_no), 'paid')
  assert.deepEqual(await w.callbacks(order.trade_no), ['seen', 'paid'])
  assert.equal(await w.balance('USDT'), '9960000')
  assert.deepEqual(
    (await reconcileChain(w.deps, w.chain)).map(each => each.verdict),
    ['agrees', 'agrees'],
  )
  await assertBooksAgree(w.deps.owner)
})

test('a TRX payment is credited once', async t => {
  const w = await tronWorld(t)
  const order = await w.order('TRX')
  assert.equal(order.amount, '40')
  await w.pay([[{ token: null, to: order.to, amount: 15_000_000n }]])
  await w.pay([[{ token: null, to: order.to, amount: 25_000_000n }]])
  await w.catchUp()
  await w.confirm()
  await w.mine(30)
  await w.catchUp()
  assert.deepEqual([await w.states(order.trade_no), await w.state(order.trade_no)], [['credited', 'credited'], 'paid'])
  assert.deepEqual(await w.callbacks(order.trade_no), ['seen', 'seen', 'partial', 'paid'])
  assert.equal(await w.balance('TRX'), '39840000')
  await assertBooksAgree(w.deps.owner)
})

test('TRON addresses and transaction ids are shown in the format of its wallets', async t => {
  const w = await tronWorld(t)
  const app = await makeApp(w.deps)
  t.after(() => app.close())
  const order = await w.order()
  const look = async () => (await app.inject(`/api/v1/checkout/${order.trade_no}`)).json().data
  const { chosen } = await look()
  assert.equal(order.address, show(at(0)))
  assert.deepEqual(
    [chosen.address, chosen.uri, chosen.contract, chosen.net_work, chosen.rest],
    [show(at(0)), show(at(0)), show(w.token), 'TRC20', '10'],
  )
  const [txid] = await w.pay([[{ token: w.token, to: order.to, amount: 10_000_000n }]])
  await w.catchUp()
  await w.confirm()
  const bare = txid!.slice(2)
  const [paid] = (await look()).deposits
  assert.deepEqual([paid.txid, paid.browser_url], [bare, `https://tronscan.org/#/transaction/${bare}`])

  const record = await call(paymentHandlers, 'GET /api/v1/transactions/detail', w.deps, w.merchant.id, {
    query: { trade_no: order.trade_no },
  })
  const [seen] = record.chain_confirmation_information
  assert.deepEqual([record.address, record.contract], [show(at(0)), show(w.token)])
  assert.deepEqual([seen?.txid, seen?.to_address, seen?.from_address], [bare, show(at(0)), show(w.payer)])
  const currencies = await call(currencyHandlers, 'GET /api/v1/currency/list', w.deps, w.merchant.id)
  assert.deepEqual(
    currencies.list.map(each => each.tokens.map(token => token.contract)),
    [['', show(w.token)]],
  )
  const flow = await call(fundFlowHandlers, 'GET /api/v1/account/stream', w.deps, w.merchant.id)
  assert.ok(flow.list.some(each => each.to_address === show(at(0)) && each.txid === bare))
  const exported = await readTxids(w.deps.pool, w.merchant.id, [order.trade_no])
  assert.equal(exported.get(order.trade_no), bare)
  const fixed = await call(addressHandlers, 'POST /api/v1/account/fixed-address', w.deps, w.merchant.id, {
    body: { currency_id: w.definition.id, label: '' },
  })
  // The server of the order took a range of indexes.
  assert.equal(fixed.address, show(at(12)))
  const typed = async (address: string) => {
    const query = { currency_id: w.definition.id, address }
    const found = await call(destinations.handlers, 'GET /api/v1/account/address-valid', w.deps, w.merchant.id, {
      query,
    })
    return { address: found.address, failed: found.checks.flatMap(each => (each.result === 'fail' ? each.check : [])) }
  }
  assert.deepEqual(await typed(fixed.address), { address: fixed.address, failed: ['ours'] })
  for (const wrong of [at(1), `41${at(1).slice(2)}`, fixed.address.toLowerCase()])
    assert.deepEqual(await typed(wrong), { address: '', failed: ['form'] })

  const sent = await rowsOf(w.deps.owner, 'select body from callbacks')
  const everything = [{ ...order, to: '' }, await look(), record, currencies, flow, fixed, sent].map(each =>
    JSON.stringify(each),
  )
  for (const text of everything) assert.doesNotMatch(text, /0x[0-9a-f]{40}/i)
  assert.equal(sent.length, 2)
  assert.ok(sent.every(({ body }) => body.includes(show(at(0)))))
})

test('a reorg drops seen deposits, which are credited once when mined again', async t => {
  const w = await tronWorld(t)
  const order = await w.order()
  const native = await w.order('TRX')
  await w.pay([
    [{ token: w.token, to: order.to, amount: 10_000_000n }],
    [{ token: null, to: native.to, amount: 40_000_000n }],
  ])
  await w.mine(1)
  await w.catchUp()
  await w.reorg(2, 'again')
  await w.catchUp()
  assert.deepEqual([await w.states(order.trade_no), await w.states(native.trade_no)], [['seen'], ['seen']])
  await w.reorg(2, 'lost')
  await w.catchUp()
  assert.deepEqual([await w.states(order.trade_no), await w.state(order.trade_no)], [['dropped'], 'dropped'])
  assert.deepEqual([await w.balance('USDT'), await w.balance('TRX')], ['0', '0'])
  await w.pay([
    [{ token: w.token, to: order.to, amount: 10_000_000n }],
    [{ token: null, to: native.to, amount: 40_000_000n }],
  ])
  await w.catchUp()
  await w.confirm()
  assert.deepEqual([await w.state(order.trade_no), await w.state(native.trade_no)], ['paid', 'paid'])
  assert.deepEqual([await w.balance('USDT'), await w.balance('TRX')], ['9960000', '39840000'])
  await assertBooksAgree(w.deps.owner)
})

test('a reorg of final blocks halts the chain, and nothing is credited twice', async t => {
  const w = await tronWorld(t)
  const order = await w.order()
  const [txid] = await w.pay([[{ token: w.token, to: order.to, amount: 10_000_000n }]])
  await w.mine(CONFIRMATIONS + 1)
  await w.catchUp()
  assert.equal(await w.state(order.trade_no), 'paid')
  await w.reorg(CONFIRMATIONS + 2, 'again')
  await w.mine(CONFIRMATIONS)
  await w.catchUp()
  assert.match((await firstRow(w.deps.owner, 'select halted from chains')).halted, /^deep_reorg /)
  const incidents = await rowsOf(w.deps.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.deposits.map((each: Raw) => each.txid)]),
    [['deep_reorg', [txid!.slice(2)]]],
  )
  assert.deepEqual(await delayedChains(w.deps.pool, w.deps.clock()), ['TRON'])
  assert.equal(await w.state(order.trade_no), 'in_doubt')
  await resumeChain(w.deps, { chainId: w.definition.id })
  await w.catchUp()
  assert.equal(await w.state(order.trade_no), 'paid')
  assert.equal(await w.balance('USDT'), '9960000')
  await assertBooksAgree(w.deps.owner)
})

const nine = `0x${'9'.repeat(8).padStart(64, '0')}`
const lies: [name: string, what: string, lie: (answer: unknown) => unknown][] = [
  ['an amount', 'eth_getLogs', answer => (answer as Raw[]).map(log => ({ ...log, data: nine }))],
  [
    'a transfer that does not exist',
    'eth_getLogs',
    answer => (answer as Raw[]).flatMap(log => [log, { ...log, data: nine, logIndex: '0x77' }]),
  ],
  ['an amount of TRX', '/wallet/getblockby', answer => changedBlocks(answer as Raw)],
]

/** Blocks with other signed bytes than those that their ids are the hashes of. */
function changedBlocks({ block, transactions, ...rest }: Raw): Raw {
  if (block) return { block: (block as Raw[]).map(changedBlocks) }
  const changed = (each: Raw) => ({ ...each, raw_data_hex: `${each.raw_data_hex}7801` })
  return { ...rest, ...(transactions ? { transactions: (transactions as Raw[]).map(changed) } : {}) }
}

for (const [name, what, lie] of lies) {
  test(`a node that lies about ${name} gets nothing credited, and the chain is reported as delayed`, async t => {
    const w = await tronWorld(t)
    const app = await makeApp(w.deps)
    t.after(() => app.close())
    const failures = async () =>
      (await registry.getSingleMetric('coffer_node_failures_total')!.get()).values.find(
        each => each.labels.chain === w.definition.id,
      )?.value ?? 0
    const order = await w.order()
    const native = await w.order('TRX')
    w.facade.alter = (method, answer) => (method.startsWith(what) ? lie(answer) : answer)
    await w.pay([
      [{ token: w.token, to: order.to, amount: 10_000_000n }],
      [{ token: null, to: native.to, amount: 40_000_000n }],
    ])
    await w.mine(10)
    const before = await failures()
    const stood = (await firstRow(w.deps.owner, 'select last_number from chains')).last_number
    for (let i = 0; i < 5; i++) assert.equal(await w.attemptCatchUp(), 'error')
    assert.deepEqual([await w.states(order.trade_no), await w.states(native.trade_no)], [[], []])
    assert.deepEqual([await w.balance('USDT'), await w.balance('TRX')], ['0', '0'])
    assert.equal((await firstRow(w.deps.owner, 'select last_number from chains')).last_number, stood)
    assert.ok((await failures()) > before)
    w.pass(61)
    assert.deepEqual(await delayedChains(w.deps.pool, w.deps.clock()), ['TRON'])
    assert.equal((await app.inject(`/api/v1/checkout/${order.trade_no}`)).json().data.delayed, true)

    w.facade.alter = (_, answer) => answer
    await w.catchUp()
    assert.deepEqual(await delayedChains(w.deps.pool, w.deps.clock()), [])
    assert.deepEqual([await w.state(order.trade_no), await w.state(native.trade_no)], ['paid', 'paid'])
    assert.deepEqual([await w.balance('USDT'), await w.balance('TRX')], ['9960000', '39840000'])
    await assertBooksAgree(w.deps.owner)
  })
}

test('a lying node beside two honest ones delays nothing', async t => {
  const w = await tronWorld(t, 3)
  const order = await w.order()
  w.facade.alter = (method, answer) => (method === 'eth_getLogs' ? lies[0]![2](answer) : answer)
  await w.pay([[{ token: w.token, to: order.to, amount: 10_000_000n }]])
  await w.catchUp()
  await w.confirm()
  assert.equal(await w.state(order.trade_no), 'paid')
  assert.equal(await w.balance('USDT'), '9960000')
  await assertBooksAgree(w.deps.owner)
})

test('TRX transferred inside a contract call is found once final, and credited once', async t => {
  const w = await tronWorld(t)
  const order = await w.order('TRX')
  const readings: BalanceReading[] = []
  const find = () => findNativeDeposits(w.deps, w.chain, readings)
  const goOn = async (blocks: number) => {
    await w.mine(blocks)
    await w.catchUp()
  }
  await w.payInside(order.to, 15_000_000n)
  await goOn(CONFIRMATIONS)
  assert.deepEqual(await w.states(order.trade_no), [], 'no block shows it')
  assert.equal(await find(), 0, 'it is read now')
  await goOn(3)
  assert.equal(await find(), 1)
  assert.equal(await find(), 0)
  await goOn(6)
  assert.equal(await find(), 0)
  assert.deepEqual(await w.callbacks(order.trade_no), ['partial'])

  // The rest arrives as a plain transfer, next to more coin from a contract.
  await w.payInside(order.to, 5_000_000n)
  await w.pay([[{ token: null, to: order.to, amount: 20_000_000n }]])
  for (let i = 0; i < 30; i++) {
    await goOn(1)
    await find()
  }
  assert.equal(await w.state(order.trade_no), 'paid')
  assert.deepEqual(
    (await w.deposits(order.trade_no))
      .map(each => [each.txid.startsWith('reconciled:'), each.amount, each.state])
      .sort(),
    [
      [false, '20000000', 'credited'],
      [true, '15000000', 'credited'],
      [true, '5000000', 'credited'],
    ],
  )
  assert.equal(await w.balance('TRX'), '39840000')
  const [native] = (await reconcileChain(w.deps, w.chain)).filter(each => each.asset_id.endsWith(':TRX'))
  assert.deepEqual([native?.verdict, native?.chain, native?.found], ['agrees', 40_000_000n, 40_000_000n])
  await assertBooksAgree(w.deps.owner)
})

test('a balance one block ahead of the reported block does not count a transfer twice', async t => {
  const w = await tronWorld(t)
  const order = await w.order('TRX')
  const readings: BalanceReading[] = []
  await w.pay([[{ token: null, to: order.to, amount: 15_000_000n }]])
  await w.mine(2)
  await w.catchUp()
  w.facade.alter = (method, answer) =>
    method === '/walletsolidity/getaccount' ? { ...(answer as Raw), balance: 15_000_000 } : answer
  assert.equal(await findNativeDeposits(w.deps, w.chain, readings), 0)
  const paidIn = (await w.deposits(order.trade_no))[0].block_number
  assert.deepEqual([readings[0]?.block.number, ...readings[0]!.balances.values()], [paidIn - 1, 15_000_000n])
  w.facade.alter = (_, answer) => answer
  for (let i = 0; i < 5; i++) {
    await w.mine(3)
    await w.catchUp()
    assert.equal(await findNativeDeposits(w.deps, w.chain, readings), 0)
  }
  assert.deepEqual(await w.states(order.trade_no), ['credited'])
  assert.equal(await w.balance('TRX'), '14940000')
  await assertBooksAgree(w.deps.owner)
})

test('TRX that only one node reports is not credited', async t => {
  const w = await tronWorld(t)
  const order = await w.order('TRX')
  const readings: BalanceReading[] = []
  const rich = (answer: unknown) => ({ ...(answer as Raw), balance: 40_000_000 })
  const lookTwice = async () => {
    for (let i = 0; i < 3; i++) {
      await w.mine(CONFIRMATIONS + 2)
      await w.catchUp()
      await findNativeDeposits(w.deps, w.chain, readings).catch(error => assert.equal(error.name, 'ChainUnavailable'))
    }
    return w.states(order.trade_no)
  }
  // Unmined transactions show in the latest state of a node.
  w.facade.alter = (method, answer) =>
    method === 'eth_getBalance' ? '0x2625a00' : method === '/wallet/getaccount' ? rich(answer) : answer
  assert.deepEqual(await lookTwice(), [])
  // Only one interface reports it as confirmed.
  w.facade.alter = (method, answer) => (method === '/walletsolidity/getaccount' ? rich(answer) : answer)
  assert.deepEqual(await lookTwice(), [])
  // A confirmed block that is not on the followed chain.
  w.facade.alter = (method, answer) => {
    if (method === 'eth_getBalance') return '0x2625a00'
    if (method === '/walletsolidity/getaccount') return rich(answer)
    if (method !== '/walletsolidity/getnowblock') return answer
    const id = String((answer as Raw).blockID)
    return { ...(answer as Raw), blockID: `${id.slice(0, 16)}${'ab'.repeat(24)}` }
  }
  assert.deepEqual(await lookTwice(), [])
  assert.equal(await w.balance('TRX'), '0')
  await assertBooksAgree(w.deps.owner)
})

test('TRX that one lying node of three invents on both interfaces is not credited, nor does the lie hide TRX', async t => {
  const w = await tronWorld(t, 3)
  const invented = await w.order('TRX')
  const hidden = await w.order('TRX')
  const readings: BalanceReading[] = []
  let lying = true
  w.facade.alter = (method, answer) => {
    if (!lying) return answer
    if (method === 'eth_getBalance') return answer === '0x0' ? '0x2625a00' : '0x0'
    if (!method.endsWith('/getaccount')) return answer
    return { ...(answer as Raw), balance: (answer as Raw).balance ? 0 : 40_000_000 }
  }
  await w.payInside(hidden.to, 15_000_000n)
  for (let i = 0; i < 3; i++) {
    await w.mine(CONFIRMATIONS + 2)
    await w.catchUp()
    await findNativeDeposits(w.deps, w.chain, readings)
    const verdicts = (await reconcileChain(w.deps, w.chain)).map(each => each.verdict)
    assert.ok(!verdicts.includes('shortage'), verdicts.join())
  }
  assert.deepEqual([await w.states(invented.trade_no), await w.states(hidden.trade_no)], [[], ['credited']])
  assert.equal(await w.balance('TRX'), '14940000')
  lying = false
  await reconcileChain(w.deps, w.chain)
  assert.equal(await readQueuePause(w.deps.pool, 'withdrawals'), undefined)
  assert.deepEqual(await rowsOf(w.deps.owner, 'select kind from incidents'), [])
  await assertBooksAgree(w.deps.owner)
})
