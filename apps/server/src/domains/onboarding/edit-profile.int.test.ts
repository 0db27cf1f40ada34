import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withDeps } from '../../testing/deps.ts'
import { visitor as from, testMerchant } from '../../testing/merchants.ts'
import { merchantById } from '../merchants/store.ts'
import { editProfile } from './edit-profile.ts'

test('the time zone stays while a policy allows withdrawals at its hours only: another would move them at once', async t => {
  const deps = await withDeps(t)
  const { id: merchantId } = await testMerchant(deps)
  const change = (time_zone: string) => editProfile(deps, { merchantId, changes: { time_zone }, from })
  await change('Europe/Rome')
  const hours = JSON.stringify([{ kind: 'hours', days: [1], from: 540, to: 1_080 }])
  await deps.owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, '1', $2, 0, 0)`,
    [merchantId, hours],
  )
  await assert.rejects(change('Asia/Tokyo'), { reason: 'parameter_error', field: 'time_zone' })
  assert.equal((await merchantById(deps.pool, merchantId))?.time_zone, 'Europe/Rome')
  await change('Europe/Rome')
})
