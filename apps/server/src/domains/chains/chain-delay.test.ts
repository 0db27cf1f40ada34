import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bnbSmartChain, ethereum, sandboxOf } from '@coffer/chains'
import { delayOf, isDelayed, type Reading } from './chain-delay.ts'

const now = 1_000_000
const well: Reading = {
  definition: ethereum,
  halted: null,
  read_at: now - 5,
  last_number: 100,
  last_time: now - 12,
  head_number: 101,
}

const cases: [what: string, change: Partial<Reading>, delay: ReturnType<typeof delayOf>][] = [
  ['all is well', {}, null],
  ['a person must decide', { halted: 'deep reorg' }, 'halted'],
  ['no node answers', { read_at: now - 61 }, 'silent'],
  ['there is much left to read', { last_time: now - 72, head_number: 106 }, 'unread'],
  ['nodes answer and stand still', { last_time: now - 61, head_number: 100 }, 'still'],
  ['blocks are missing for as long as five take', { last_time: now - 60, head_number: 100 }, null],
  ['it was never read', { last_number: null, last_time: 0, read_at: 0, head_number: 0 }, 'silent'],
]
for (const [what, change, delay] of cases) {
  test(`read with a delay or not: ${what}`, () => {
    const reading = { ...well, ...change }
    assert.equal(delayOf(reading, now), delay)
    assert.equal(isDelayed(reading, now), delay !== null)
  })
}

test('a chain of the sandbox may stand still', () => {
  const definition = sandboxOf(bnbSmartChain, { chainId: 1, confirmations: 4, blockTime: 1, tokens: [] })
  assert.equal(delayOf({ ...well, definition, last_time: 0, head_number: 100 }, now), null)
})
