import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBooksAgree } from '../testing/invariants.ts'
import { testApplication } from '../testing/merchants.ts'
import { eth, moneyWorld, rowsOf } from '../testing/money.ts'

const usdc = eth.tokens[1]!.contract

test('the merchant is told of money that was credited and does not count for its order', async t => {
  const world = await moneyWorld(t)
  const strict = await testApplication(world.deps, world.merchant.id, { mixed_payment: false })
  const order = await world.pay({}, { merchantId: world.merchant.id, appid: strict.appid })
  await world.eth.add([{ to: order.address, amount: 10_000_000n, token: usdc }])
  await world.eth.confirm()
  assert.equal(await world.balance(`${eth.id}:USDC`), '9960000')
  assert.equal((await world.payment(order.trade_no)).status, 1)
  assert.deepEqual(await rowsOf(world.owner, 'select message, params from notifications where types = 3'), [
    {
      message: 'payment_not_counted',
      params: { out_trade_no: order.out_trade_no, amount: '10', token: 'USDC', chain: 'Ethereum' },
    },
  ])
  await assertBooksAgree(world.owner)
})
