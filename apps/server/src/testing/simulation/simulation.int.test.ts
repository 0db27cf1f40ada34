import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFull } from '@coffer/local/testing/full.ts'
import { simulate } from './simulate.ts'

// `npm run simulate` runs the same simulation with any number of seeds.
const seeds = isFull() ? 10 : 2
for (let seed = 1; seed <= seeds; seed++) {
  test(`seed ${seed}: each transfer is credited and each payout paid exactly once, and the ledger balances`, async () => {
    await simulate(seed)
  })
}

test('a seed is replayed statement by statement', async () => {
  const first = await simulate(3, { steps: 40 })
  const again = await simulate(3, { steps: 40 })
  assert.equal(again.log, first.log)
})
