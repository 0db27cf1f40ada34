import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor as from, testMerchant } from '../../testing/merchants.ts'
import { linkWorld } from '../../testing/refund-links.ts'
import { cancelRefund } from './cancel-refund.ts'
import { cancelUnclaimedRefundLink, expireRefundLinks } from './end-link.ts'
import { listRefundLinks, readPromisedRefunds } from './link-store.ts'
import { listRefunds } from './list.ts'

const first = { offset: 0, limit: 10 }

test('links are listed by state and order number, with what the open ones promise', async t => {
  const w = await linkWorld(t)
  const { deps, merchant } = w
  const { pool } = deps
  const { out_trade_no: outTradeNo } = await w.payment(w.trade_no)
  const part = { kind: 'part', amount: '20' } as const
  const canceled = await w.make(part)
  await cancelUnclaimedRefundLink(deps, { merchantId: merchant.id, id: canceled, from })
  deps.pass(1)
  const claimed = await w.make(part)
  await w.claim(w.tokenOf(claimed))
  await cancelRefund(deps, { merchantId: merchant.id, id: (await w.refunds())[0].id, from })
  deps.pass(1)
  const open = await w.make({ kind: 'part', amount: '12.5' })
  assert.deepEqual(await readPromisedRefunds(deps, merchant.id), [{ token: 'USDT', amount: '12.5', count: 1 }])
  const ids = async (filter: Parameters<typeof listRefundLinks>[2], merchantId = merchant.id) =>
    (await listRefundLinks(pool, merchantId, filter, first)).rows.map(each => each.id)
  assert.deepEqual(await ids({}), [open, claimed, canceled])
  assert.deepEqual(await ids({ state: 'claimed' }), [claimed])
  assert.deepEqual(await ids({ order: outTradeNo, state: 'open' }), [open])
  assert.deepEqual(await ids({ order: w.trade_no }), [open, claimed, canceled])
  assert.deepEqual(await ids({ order: `${outTradeNo}0` }), [])
  const stranger = await testMerchant(deps)
  assert.deepEqual(
    [await ids({ order: w.trade_no }, stranger.id), await readPromisedRefunds(deps, stranger.id)],
    [[], []],
  )
  for (const order of [outTradeNo, w.trade_no])
    assert.equal((await listRefunds(pool, merchant.id, { order }, first)).total, 1, 'the refund of the claimed one')
  assert.equal((await listRefunds(pool, merchant.id, { order: 'another' }, first)).total, 0)

  deps.pass(30 * 86_400)
  assert.deepEqual(await readPromisedRefunds(deps, merchant.id), [], 'an expired link promises nothing')
  await expireRefundLinks(deps)
  assert.deepEqual(await ids({ state: 'expired' }), [open])
})
