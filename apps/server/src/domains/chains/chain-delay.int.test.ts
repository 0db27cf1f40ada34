import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eth, moneyWorld } from '../../testing/money.ts'
import { delayedChains } from './chain-delay.ts'

test('chains that do not answer, are behind or halted are delayed; disabled ones are not', async t => {
  const { deps, owner } = await moneyWorld(t)
  const delayed = () => delayedChains(deps.pool, deps.clock())
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
