import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import { call } from '../../testing/call.ts'
import { visitor } from '../../testing/merchants.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { requestRefund } from '../refunds/request-refund.ts'
import { callbackHandlers } from './routes.ts'

test('callbacks tell of payouts only who may see those, or sends them again', async t => {
  const world = await withdrawalWorld(t)
  const { deps, merchant, appid } = world
  const { trade_no: tradeNo, address } = await world.pay({ amount: '100' })
  await world.eth.add([{ to: address, amount: 100_000_000n }])
  await world.eth.confirm()
  deps.pass(1_800)
  const refund = { tradeNo, kind: 'part', amount: '10', basis: 'token', gasPayer: 'payer', reason: '' } as const
  const proof = await world.proof()
  await requestRefund(deps, { ...refund, merchantId: merchant.id, address: outside, proof, from: visitor })
  const byKey = { appid, outNo: '1', bodyHash: Buffer.from('x'), madeBy: merchant.id }
  await world.withdraw('20', { byKey, proof: undefined })

  const subjects = async (role: MerchantRole) => {
    const by = { personId: merchant.id, role }
    const { list, total } = await call(callbackHandlers, 'GET /api/v1/callback/list', deps, merchant.id, { by })
    assert.equal(total, list.length)
    return [...new Set(list.map(each => each.type))].sort()
  }
  const all = ['payment', 'refund', 'withdrawal']
  for (const role of ['owner', 'finance', 'viewer', 'developer'] as const)
    assert.deepEqual(await subjects(role), all, role)
  assert.deepEqual(await subjects('support'), ['payment', 'refund'])

  const detail = async (event: string, role: MerchantRole) => {
    const by = { personId: merchant.id, role }
    const { rows } = await world.owner.query('select id from callbacks where event = $1', [event])
    return call(callbackHandlers, 'GET /api/v1/callback/detail', deps, merchant.id, { by, query: { id: rows[0].id } })
  }
  assert.ok((await detail('withdrawal.created', 'developer')).body.includes('amount'))
  assert.ok((await detail('refund.created', 'support')).body.includes('amount'))
  await assert.rejects(detail('withdrawal.created', 'support'), { reason: 'callback_not_exist' })
})
