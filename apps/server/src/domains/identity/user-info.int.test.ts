import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eth, moneyWorld } from '../../testing/money.ts'
import { userInfo } from './user-info.ts'

test('reports chains as delayed when they are stale, behind or halted', async t => {
  const { deps, owner, merchant } = await moneyWorld(t)
  const delayed = async () => (await userInfo(deps, { merchantId: merchant.id })).delayed_chains
  const set = (changes: { readAgo?: number; behind?: number; halted?: string; enabled?: boolean }) =>
    owner.query(`update chains set read_at = $1, last_number = 1000, head_number = $2, halted = $3, enabled = $4`, [
      deps.clock() - (changes.readAgo ?? 0),
      1_000 + (changes.behind ?? 0),
      changes.halted ?? null,
      changes.enabled ?? true,
    ])
  await set({})
  assert.deepEqual(await delayed(), [])
  for (const change of [{ readAgo: 3_600 }, { behind: Math.ceil(3_600 / eth.blockTime) }, { halted: 'deep reorg' }]) {
    await set(change)
    assert.ok((await delayed()).includes(eth.name), JSON.stringify(change))
  }
  await set({ halted: 'deep reorg', enabled: false })
  assert.deepEqual(await delayed(), [])
})
