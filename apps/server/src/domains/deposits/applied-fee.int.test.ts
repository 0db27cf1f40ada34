import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { firstRow, moneyWorld } from '../../testing/money.ts'

test('a payment keeps the rate of its first credit, and knows it', async t => {
  const world = await moneyWorld(t)
  const rate = (bps: number | null) =>
    world.owner.query('update merchants set fee_bps = $2 where id = $1', [world.merchant.id, bps])
  const of = async (tradeNo: string) => {
    const { fee_bps, fees } = await firstRow(world.owner, 'select fee_bps, fees from payments where trade_no = $1', [
      tradeNo,
    ])
    return [fee_bps, fees]
  }
  await rate(30)
  const order = await world.pay()
  assert.deepEqual([order.fee_bps, ...(await of(order.trade_no))], [null, null, '0'])
  await world.eth.add([{ to: order.address, amount: 4_000_000n }])
  await rate(50)
  assert.deepEqual(await of(order.trade_no), [null, '0'], 'seen, not credited')
  await world.eth.confirm()
  assert.deepEqual(await of(order.trade_no), [50, '20000'], 'the rate at the credit')
  await rate(100)
  await world.eth.add([{ to: order.address, amount: 6_000_000n }])
  await world.eth.confirm()
  assert.deepEqual(await of(order.trade_no), [50, '50000'], 'not the new one')
  const next = await world.pay()
  await rate(null)
  await world.eth.add([
    { to: next.address, amount: 5_000_000n },
    { to: next.address, amount: 5_000_000n },
  ])
  await world.eth.confirm()
  assert.deepEqual(await of(next.trade_no), [world.deps.config.feeBps, '40000'])
  await assertBooksAgree(world.owner)
})

test('a payment that was credited by a rate that is not known shows none', async t => {
  const world = await moneyWorld(t)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 4_000_000n }])
  await world.eth.confirm()
  await world.owner.query('update payments set fee_bps = null where trade_no = $1', [order.trade_no])
  await world.eth.add([{ to: order.address, amount: 6_000_000n }])
  await world.eth.confirm()
  const { fee_bps, fees } = await firstRow(world.owner, 'select fee_bps, fees from payments where trade_no = $1', [
    order.trade_no,
  ])
  assert.deepEqual([fee_bps, fees], [null, '40000'])
})
