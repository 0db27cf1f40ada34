import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ethereum, sandboxOf } from '@coffer/chains'
import { pauseOf } from './follow.ts'

const local = { definition: sandboxOf(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] }) }

test('a sandbox’s chain at rest is polled less often; other chains and failing nodes have pauses of their own', () => {
  assert.deepEqual(
    [0, 3, 4, 99, 100, 10_000].map(attempt => pauseOf(local, 'tip', attempt)),
    [50, 50, 200, 200, 1_000, 1_000],
  )
  const mainnet = { definition: ethereum }
  assert.equal(pauseOf(mainnet, 'tip', 10_000), pauseOf(mainnet, 'tip', 0))
  assert.deepEqual([pauseOf(mainnet, 'error', 0), pauseOf(mainnet, 'error', 20)], [3_600, 15_000])
})
