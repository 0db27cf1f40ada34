import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineSandboxChain, ethereum } from '@coffer/chains'
import { BlockAppearance, computePollPauseMs } from './follow.ts'

const local = {
  definition: defineSandboxChain(ethereum, { chainId: 31337, confirmations: 6, blockTime: 1, tokens: [] }),
}

const never = Number.POSITIVE_INFINITY
const atTip = (chain: Parameters<typeof computePollPauseMs>[0], attempt: number, isIdle: boolean, sinceMs = never) =>
  computePollPauseMs(chain, 'tip', { attempt, isIdle, sinceMs })

test('a chain is polled less often at rest, and once a block while nothing happens; failing nodes have pauses of their own', () => {
  assert.deepEqual(
    [0, 3, 4, 10_000].map(attempt => atTip(local, attempt, false)),
    [50, 50, 200, 200],
  )
  const fast = { definition: { ...ethereum, blockTime: 0.75 } }
  assert.deepEqual(
    [local, fast, { definition: ethereum }].map(each => [atTip(each, 10_000, false), atTip(each, 0, true)]),
    [
      [200, 1_000],
      [400, 750],
      [3_600, 4_000],
    ],
  )
  const mainnet = { definition: ethereum }
  const afterError = (attempt: number) => computePollPauseMs(mainnet, 'error', { attempt, isIdle: false, sinceMs: 0 })
  assert.deepEqual([afterError(0), afterError(20)], [3_600, 15_000])
})

test('until its next block is due a chain is polled rarely, then often, and as before once the block is late', () => {
  const mainnet = { definition: ethereum }
  const since = [0, 8_000, 10_700, 10_800, 13_000, 24_000]
  assert.deepEqual(
    since.map(ms => Math.round(atTip(mainnet, 0, false, ms))),
    [4_000, 2_800, 100, 1_000, 1_000, 3_600],
  )
  // While nothing happens the next block may be seen later, and on fast chains it is not foreseen.
  assert.deepEqual(
    since.map(ms => Math.round(atTip(mainnet, 0, true, ms))),
    [4_000, 2_800, 100, 4_000, 4_000, 4_000],
  )
  const fast = { definition: { ...ethereum, blockTime: 0.75 } }
  assert.deepEqual([atTip(fast, 0, false, 0), atTip(local, 0, false, 0)], [400, 50])
})

test('a block that was applied late does not make the next one late', () => {
  const mainnet = { definition: ethereum }
  const appearance = new BlockAppearance()
  appearance.applied()
  assert.equal(atTip(mainnet, 0, false, 500 - appearance.at), 3_600, 'nothing is known of the first block')
  // A poll at 1 s finds none; the block appears at 2 s and is applied at 9 s.
  appearance.awaited(1_000)
  appearance.applied()
  appearance.awaited(9_000)
  assert.equal(Math.round(atTip(mainnet, 0, false, 9_000 - appearance.at)), 2_800, 'due at 11.8 s')
  // The next one also was there before it was requested.
  appearance.applied()
  assert.equal(appearance.at, 9_000)
})
