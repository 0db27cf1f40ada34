import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ethereum, sandboxOf } from '@coffer/chains'
import { pauseOf } from './follow.ts'

const local = { definition: sandboxOf(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] }) }

test('a chain is polled less often at rest, and once a block while nothing happens; failing nodes have pauses of their own', () => {
  assert.deepEqual(
    [0, 3, 4, 10_000].map(attempt => pauseOf(local, 'tip', attempt, false)),
    [50, 50, 200, 200],
  )
  const fast = { definition: { ...ethereum, blockTime: 0.75 } }
  assert.deepEqual(
    [local, fast, { definition: ethereum }].map(each => [
      pauseOf(each, 'tip', 10_000, false),
      pauseOf(each, 'tip', 0, true),
    ]),
    [
      [200, 1_000],
      [400, 750],
      [3_600, 4_000],
    ],
  )
  const mainnet = { definition: ethereum }
  assert.deepEqual([pauseOf(mainnet, 'error', 0, true), pauseOf(mainnet, 'error', 20, false)], [3_600, 15_000])
})
