import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formatPriceChange,
  initialMarketMode,
  type MarketEvent,
  type MarketMode,
  reduceMarketMode,
  toggleFollow,
} from './mode.ts'

const after = (...events: MarketEvent[]): MarketMode => events.reduce(reduceMarketMode, initialMarketMode)

test('starts in follow mode and searches on focus', () => {
  assert.deepEqual(after(), { mode: 'follow' })
  assert.deepEqual(after({ type: 'focus' }), { mode: 'search', text: '', name: '' })
})

test('searches in uppercase once typing pauses', () => {
  const typed = after({ type: 'focus' }, { type: 'type', text: 'us' }, { type: 'type', text: 'usd ' })
  assert.deepEqual(typed, { mode: 'search', text: 'USD ', name: '' })
  const settled = reduceMarketMode(typed, { type: 'settle' })
  assert.deepEqual(settled, { mode: 'search', text: 'USD ', name: 'USD' })
  assert.deepEqual(reduceMarketMode(settled, { type: 'type', text: 'usdc' }), {
    mode: 'search',
    text: 'USDC',
    name: 'USD',
  })
})

test('settling twice keeps the same state object', () => {
  const settled = after({ type: 'focus' }, { type: 'type', text: 'eth' }, { type: 'settle' })
  assert.equal(reduceMarketMode(settled, { type: 'settle' }), settled)
  assert.equal(reduceMarketMode(settled, { type: 'focus' }), settled, 'a second focus inside the panel')
})

test('leaving returns to follow mode, and a late timer does not undo it', () => {
  const left = after({ type: 'focus' }, { type: 'type', text: 'eth' }, { type: 'leave' })
  assert.deepEqual(left, { mode: 'follow' })
  assert.deepEqual(reduceMarketMode(left, { type: 'settle' }), { mode: 'follow' })
})

test('the search text is limited to the length the call accepts', () => {
  const state = after({ type: 'focus' }, { type: 'type', text: 'x'.repeat(50) })
  assert.equal(state.mode === 'search' && state.text.length, 20)
})

test('at most 4 tokens are followed', () => {
  assert.deepEqual(toggleFollow(['BTC'], 'ETH'), ['BTC', 'ETH'])
  assert.deepEqual(toggleFollow(['BTC', 'ETH'], 'BTC'), ['ETH'])
  assert.equal(toggleFollow(['A', 'B', 'C', 'D'], 'E'), null)
  assert.deepEqual(toggleFollow(['A', 'B', 'C', 'D'], 'D'), ['A', 'B', 'C'])
})

test('formats changes with sign and two decimals; zero has no sign and unknown is null', () => {
  assert.equal(formatPriceChange('+1.25', 'en'), '+1.25%')
  assert.equal(formatPriceChange('0.4', 'en'), '+0.40%')
  assert.equal(formatPriceChange('-1.9', 'zh-CN'), '−1.90%')
  assert.equal(formatPriceChange('-1.999%', 'en'), '−1.99%')
  assert.equal(formatPriceChange('+0.00', 'en'), '0.00%')
  assert.equal(formatPriceChange('-0.001', 'en'), '0.00%')
  assert.equal(formatPriceChange('', 'en'), null)
  assert.equal(formatPriceChange('n/a', 'en'), null)
})
