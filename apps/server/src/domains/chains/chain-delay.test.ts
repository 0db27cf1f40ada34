import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bnbSmartChain, defineSandboxChain, ethereum } from '@coffer/chains'
import { type ChainProgress, findChainDelay } from './chain-delay.ts'

const now = 1_000_000
const upToDate: ChainProgress = {
  definition: ethereum,
  halted: null,
  read_at: now - 5,
  last_number: 100,
  last_time: now - 12,
  head_number: 101,
}

const cases: [what: string, change: Partial<ChainProgress>, delay: ReturnType<typeof findChainDelay>][] = [
  ['up to date', {}, null],
  ['halted', { halted: 'deep reorg' }, 'halted'],
  ['no node answers', { read_at: now - 61 }, 'unreachable'],
  ['many blocks to read', { last_time: now - 72, head_number: 106 }, 'behind'],
  ['nodes without new blocks', { last_time: now - 61, head_number: 100 }, 'stalled'],
  ['no new block for exactly five block times', { last_time: now - 60, head_number: 100 }, null],
  ['never read', { last_number: null, last_time: 0, read_at: 0, head_number: 0 }, 'unreachable'],
]
for (const [what, change, delay] of cases) {
  test(`delay of a chain: ${what}`, () => assert.equal(findChainDelay({ ...upToDate, ...change }, now), delay))
}

test('a sandbox chain does not stall', () => {
  const definition = defineSandboxChain(bnbSmartChain, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
  assert.equal(findChainDelay({ ...upToDate, definition, last_time: 0, head_number: 100 }, now), null)
})
