import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { addressAt, bsc, eth, firstRow, type MoneyWorld, moneyWorld, rowsOf } from '../../testing/money.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { readMerchantOrder } from '../payments/present-order.ts'
import { createApplicationAddress } from './assign-address.ts'
import { addressCoolDownSeconds } from './store.ts'

const day = 86_400

/** Lets the open payments time out, `seconds` after their end. */
async function endAll(world: MoneyWorld, seconds: number) {
  world.deps.pass(1800 + seconds)
  await world.eth.add()
  await world.eth.confirm()
  await world.owner.query('update chains set compared_time = $1', [world.deps.clock()])
  await expirePayments(world.deps)
}

const sent = async ({ owner }: MoneyWorld) => {
  const sql = 'select trade_no, late, state from deposits order by block_number desc, log_index desc limit 1'
  const { trade_no, late, state } = await firstRow(owner, sql)
  return [trade_no, late, state]
}

test('who pays the first order eight days late does not pay the second one', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay()
  await endAll(world, 8 * day)
  const second = await world.pay()
  assert.notEqual(second.address, first.address)
  await world.eth.add([{ to: first.address, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.deepEqual(await sent(world), [first.trade_no, true, 'credited'])
  assert.deepEqual(
    [(await world.payment(first.trade_no)).exception, (await world.payment(second.trade_no)).state],
    ['late', 'open'],
  )
  await assertBooksAgree(world.owner)
})

test('after a new lease, exactly what the former payment asks for is the former payment’s, late', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay({ amount: '12' })
  await endAll(world, addressCoolDownSeconds)
  const second = await world.pay({ amount: '20' })
  assert.equal(second.address, first.address)
  const send = async (amount: bigint, token?: string) => {
    await world.eth.add([{ to: first.address, amount, ...(token && { token }) }])
    return sent(world)
  }
  assert.deepEqual(await send(12_000_000n, eth.tokens[1]!.contract), [second.trade_no, false, 'seen'], 'another token')
  assert.deepEqual(await send(11_999_999n), [second.trade_no, false, 'seen'], 'another amount')
  assert.deepEqual(await send(12_000_000n), [first.trade_no, true, 'seen'])
  await assertBooksAgree(world.owner)
})

test('a deposit of the former payment stays its own through confirmations, and the next one is the present payment’s', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay({ amount: '12' })
  await endAll(world, addressCoolDownSeconds)
  const second = await world.pay({ amount: '20' })
  const transfer = { to: first.address, amount: 12_000_000n }
  await world.eth.add([transfer])
  await world.eth.confirm()
  assert.deepEqual(await sent(world), [first.trade_no, true, 'credited'])
  const row = await world.payment(first.trade_no)
  assert.deepEqual([row.state, row.exception, row.paid_amount], ['timed_out', 'late', '12000000'])
  await world.eth.add([transfer])
  assert.deepEqual(await sent(world), [second.trade_no, false, 'seen'], 'the former payment has its money')
  await world.eth.add([{ to: second.address, amount: 20_000_000n }])
  await world.eth.confirm()
  assert.equal((await world.payment(second.trade_no)).state, 'paid')
  await assertBooksAgree(world.owner)
})

test('orders, callbacks and addresses of customers say the index from which the address derives', async t => {
  const world = await moneyWorld(t)
  const derives = (of: { address: string; address_index: number | null }) =>
    assert.equal(of.address.toLowerCase(), addressAt('evm', of.address_index!))
  const read = async (tradeNo: string) =>
    (await readMerchantOrder(world.deps.pool, '', { merchantId: world.merchant.id, tradeNo }))!
  const first = await world.pay()
  const open = await world.pay({ chain: undefined, token: undefined })
  assert.equal(open.address_index, null)
  await endAll(world, addressCoolDownSeconds)
  const again = await world.pay()
  assert.deepEqual([again.address, again.address_index], [first.address, first.address_index], 'a free one')
  const chosen = await world.pay({ chain: undefined, token: undefined })
  for (const symbol of ['ETH', 'USDT']) {
    await chooseAsset(world.deps, { tradeNo: chosen.trade_no, assetId: `${eth.id}:${symbol}` })
    derives(await read(chosen.trade_no))
  }
  await world.owner.query('update applications set payment_mode = 2')
  const fixed = await Promise.all([world.pay(), world.pay()])
  assert.equal(fixed[0].address, fixed[1].address)
  for (const order of [first, again, ...fixed]) derives(order)
  for (const order of [first, again, ...fixed]) derives(await read(order.trade_no))
  await world.eth.add([{ to: again.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const bodies = await rowsOf(world.owner, 'select body from callbacks where trade_no = $1', [again.trade_no])
  assert.ok(bodies.length > 0)
  for (const { body } of bodies) derives(JSON.parse(body).data)
  const customer = { merchantId: world.merchant.id, appid: world.appid, reference: 'customer-1', chainId: eth.id }
  const { address, key_index: address_index } = await createApplicationAddress(world.deps, customer)
  derives({ address, address_index })
})

test('what fits both payments is the present one’s', async t => {
  const world = await moneyWorld(t)
  const first = await world.pay()
  await endAll(world, addressCoolDownSeconds)
  const second = await world.pay()
  assert.equal(second.address, first.address)
  await world.eth.add([{ to: first.address, amount: 10_000_000n }])
  assert.deepEqual(await sent(world), [second.trade_no, false, 'seen'])
})

test('addresses for native coin and for tokens are not exchanged', async t => {
  const world = await moneyWorld(t)
  const token = await world.pay()
  const native = await world.pay({ token: 'ETH' })
  assert.notEqual(token.address, native.address)
  await endAll(world, addressCoolDownSeconds)
  const native2 = await world.pay({ token: 'ETH' })
  const native3 = await world.pay({ token: 'ETH' })
  const token2 = await world.pay({ token: 'USDC' })
  const token3 = await world.pay({ chain: bsc.id })
  assert.equal(native2.address, native.address)
  assert.equal(token2.address, token.address, 'tokens share addresses')
  const all = [token, native, native3, token3].map(each => each.address)
  assert.equal(new Set(all).size, 4)
})

test('a payer who changes between native coin and a token may pay at either address', async t => {
  const world = await moneyWorld(t)
  const { trade_no: tradeNo } = await world.pay({ chain: undefined, token: undefined })
  const choose = async (symbol: string) => {
    await chooseAsset(world.deps, { tradeNo, assetId: `${eth.id}:${symbol}` })
    return (await world.payment(tradeNo)).address.toLowerCase()
  }
  const token = await choose('USDT')
  const native = await choose('ETH')
  assert.notEqual(native, token)
  assert.equal(await choose('USDC'), token)
  assert.equal(await choose('ETH'), native)
  assert.equal(await choose('USDT'), token)
  await world.eth.add([{ to: native, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.equal((await world.payment(tradeNo)).state, 'paid')
  await assertBooksAgree(world.owner)
})
