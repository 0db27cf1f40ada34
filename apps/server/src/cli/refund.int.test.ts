import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundOwner } from '../domains/refunds/owner.ts'
import { requestRefund } from '../domains/refunds/request-refund.ts'
import { tx } from '../kit/db.ts'
import { visitor } from '../testing/merchants.ts'
import { outside, withdrawalWorld } from '../testing/withdrawals.ts'
import { findCommand, runCommand } from './run.ts'

test('the operator lists abnormal refunds, pays one again and cancels it', async t => {
  const world = await withdrawalWorld(t)
  const { deps, merchant } = world
  const type = async (...words: string[]) => {
    const { code, text } = await runCommand(deps, findCommand(['refund', ...words])!)
    return `${code} ${text}`
  }
  assert.equal(await type('list'), '0 No refunds.')
  const { trade_no, address } = await world.pay({ amount: '100' })
  await world.eth.add([{ to: address, amount: 100_000_000n }])
  await world.eth.confirm()
  const requested = {
    kind: 'all',
    basis: 'token',
    gasPayer: 'merchant',
    address: outside,
    reason: '',
    from: visitor,
  } as const
  const proof = await world.proof()
  const id = await requestRefund(deps, { ...requested, merchantId: merchant.id, tradeNo: trade_no, proof })
  assert.match(await type('cancel', id, 'asked'), /^1 .*no longer be changed/)
  const fail = () =>
    tx(deps.pool, (_, uow) =>
      refundOwner(deps).failed(uow, [{ owner: 'refund', merchant_id: merchant.id, id, amount: 1n }], 'blocked'),
    )
  await fail()
  assert.match(
    await type('list'),
    new RegExp(`${id} +${merchant.mchid} +${trade_no} +100 USDT +Ethereum +0x0+bb .*blocked`),
  )
  assert.match(await type('approve', id), /^0 .*queued/)
  await fail()
  assert.match(await type('cancel', id, ''), /^1 .*\(reason\)/)
  assert.match(await type('cancel', id, 'address', 'refused'), /^0 .*released/)
  assert.match(await type('approve', id), /^1 .*no longer be changed/)
  assert.equal((await world.balances())[1], '0')
})
