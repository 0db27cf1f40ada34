import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BlockEvent } from '@coffer/chains/follower.ts'
import { GasReadSchedule } from './read-deposit-gas.ts'

test('fees are read after blocks with deposits, and again after the next block where nodes failed', () => {
  const block = { number: 1, hash: '0x1', parentHash: '0x0', time: 0 }
  const place = { type: 'block', from: 1, parentHash: '0x0', block, final: 0, settledFrom: 1 } as const
  const empty: BlockEvent = { ...place, transfers: [], settled: [] }
  const paid: BlockEvent = { ...empty, settled: [{} as BlockEvent['settled'][number]] }
  const gas = new GasReadSchedule()
  const after = (last: 'done' | 'more' | 'failed', event: BlockEvent | null, passedMs = 0) => {
    gas.done(last, 0)
    if (event) gas.applied(event, passedMs)
    return gas.isDue
  }
  assert.equal(gas.isDue, true)
  assert.deepEqual(
    [after('done', empty), after('done', paid), after('failed', null), after('failed', empty), after('more', null)],
    [false, true, false, true, true],
  )
  assert.deepEqual([after('done', empty, 59_000), after('done', empty, 61_000)], [false, true])
  gas.done('done', 0)
  gas.applied({ type: 'reorg', ancestor: block, dropped: [] }, 0)
  assert.equal(gas.isDue, true)
})
