// second-server: which row locks a foreign key takes, and what waits for them
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { moneyWorld } from '../../testing/money.ts'

test('a credit waits for no one who changes its merchant or its asset', { timeout: 180_000 }, async t => {
  const world = await moneyWorld(t)
  // The first credit creates the accounts of the merchant.
  const first = await world.pay()
  const second = await world.pay()
  await world.eth.add([{ to: first.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const c = await world.owner.connect()
  try {
    await c.query('begin')
    await c.query('select from merchants for update')
    await c.query('select from assets for update')
    await world.eth.add([{ to: second.address, amount: 10_000_000n }])
    await world.eth.confirm()
    await c.query('rollback')
  } finally {
    c.release()
  }
  assert.equal((await world.payment(second.trade_no)).state, 'paid')
  await assertBooksAgree(world.owner)
})
