import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakOnce } from '../../testing/break.ts'
import { testMerchant, visitor } from '../../testing/merchants.ts'
import { withdrawalWorld } from '../../testing/withdrawals.ts'
import { listSettings, saveSetting } from './settings.ts'

test('keeps settings by token, and refuses a withdrawal with more gas than allowed', async t => {
  const world = await withdrawalWorld(t)
  const { deps, merchant } = world
  const input = { merchantId: merchant.id, assetId: 'eth:USDT', gasLimit: '0.4', minimum: '25', automatic: false }
  const proof = () => world.proof(merchant.id, 'withdrawal-settings')
  const stored = async (merchantId = merchant.id) =>
    (await listSettings(deps.pool, merchantId))
      .filter(row => row.id === 'eth:USDT')
      .map(row => [row.gas_limit, row.minimum, row.automatic])
  const broken = { ...deps, pool: breakOnce(deps.pool, /audit_append/) }
  await assert.rejects(saveSetting(broken, { ...input, proof: await proof(), from: visitor }), /killed here/)
  await assert.rejects(saveSetting(deps, { ...input, from: visitor }), { reason: 'proof_needed' })
  assert.deepEqual(await stored(), [[null, null, true]])
  await saveSetting(deps, { ...input, proof: await proof(), from: visitor })
  assert.deepEqual(await stored(), [[400_000n, 25_000_000n, false]])
  assert.deepEqual(await stored((await testMerchant(deps)).id), [[null, null, true]])
  // The gas is 0.4875 USDT.
  await assert.rejects(world.withdraw('100'), { reason: 'gas_too_high' })
  await saveSetting(deps, { ...input, gasLimit: '0.4875', minimum: '', proof: await proof(), from: visitor })
  assert.deepEqual(await stored(), [[487_500n, null, false]])
  await world.withdraw('100')
  await world.owner.query('update merchants set frozen = true')
  await assert.rejects(saveSetting(deps, { ...input, proof: await proof(), from: visitor }), {
    reason: 'account_frozen',
  })
})
