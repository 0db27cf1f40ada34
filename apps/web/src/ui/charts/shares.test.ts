import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumDecimals } from '@coffer/contract/kit/decimal.ts'
import { computeAxisTicks } from './marks.ts'
import { computeTokenShares } from './shares.ts'

const row = (token: string, usdt_balance: string) => ({ token, usdt_balance })

test('decimal strings are added exactly', () => {
  assert.equal(sumDecimals(['0.1', '0.2']), '0.3')
  assert.equal(sumDecimals(['9007199254740993', '0.000000000000000001']), '9007199254740993.000000000000000001')
  assert.equal(sumDecimals(['1.5', '-0.5', '']), '1')
  assert.equal(sumDecimals([]), '0')
})

test('a token is one share over all chains, largest first', () => {
  const parts = computeTokenShares([row('ETH', '25'), row('USDT', '50'), row('USDT', '25')], 10)
  assert.deepEqual(parts, [
    { token: 'USDT', value: '75', ratio: 0.75 },
    { token: 'ETH', value: '25', ratio: 0.25 },
  ])
})

test('tokens beyond the top are one share at the end', () => {
  const parts = computeTokenShares([row('A', '40'), row('B', '30'), row('C', '20'), row('D', '6'), row('E', '4')], 3)
  assert.deepEqual(
    parts.map(part => [part.token, part.value]),
    [
      ['A', '40'],
      ['B', '30'],
      ['C', '20'],
      [null, '10'],
    ],
  )
  assert.equal(Math.round(parts.reduce((sum, part) => sum + part.ratio, 0) * 1e9), 1e9)
})

test('exactly `top` tokens leave no rest', () => {
  assert.equal(
    computeTokenShares([row('A', '1'), row('B', '1'), row('C', '1')], 3).some(part => part.token === null),
    false,
  )
})

test('equal values are ordered by name', () => {
  assert.deepEqual(
    computeTokenShares([row('B', '1'), row('A', '1.0')], 3).map(part => part.token),
    ['A', 'B'],
  )
})

test('no assets have no shares', () => {
  assert.deepEqual(computeTokenShares([], 3), [])
  assert.deepEqual(computeTokenShares([row('USDT', '0'), row('ETH', '0.000000')], 3), [])
})

test('an axis has round marks, up to the first that is not below the highest value', () => {
  assert.deepEqual(computeAxisTicks(1, 4), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(computeAxisTicks(7, 4), [0, 2, 4, 6, 8])
  assert.deepEqual(computeAxisTicks(94.9, 4), [0, 20, 40, 60, 80, 100])
  assert.deepEqual(computeAxisTicks(1_634_567, 4), [0, 500_000, 1_000_000, 1_500_000, 2_000_000])
  for (let highest = 0.013; highest < 1e9; highest *= 1.37) {
    const marks = computeAxisTicks(highest, 4)
    assert.ok(marks.length >= 3 && marks.length <= 8, `${marks.length} marks up to ${highest}`)
    assert.ok((marks.at(-2) ?? 0) < highest && (marks.at(-1) ?? 0) >= highest, `${marks} for ${highest}`)
  }
})
