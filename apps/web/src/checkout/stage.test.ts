import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentStatus } from '@coffer/contract/codes.ts'
import type { Checkout } from './follow.ts'
import { inGroups, stageOf, timeLeft } from './stage.ts'

const chosen = { paid: '0', pending: '0', rest: '10' } as NonNullable<Checkout['chosen']>
const payment = (changes: Partial<Checkout>) =>
  ({ status: paymentStatus.open, chosen, deposits: [], ...changes }) as unknown as Checkout
const deposit = (state: string) => ({ state }) as Checkout['deposits'][number]

test('the stage follows state and deposits', () => {
  assert.equal(stageOf(payment({ chosen: null })), 'choose')
  assert.equal(stageOf(payment({})), 'wait')
  assert.equal(stageOf(payment({ chosen: { ...chosen, rest: '0' }, deposits: [deposit('seen')] })), 'confirm')
  assert.equal(stageOf(payment({ deposits: [deposit('seen')] })), 'partial')
  assert.equal(
    stageOf(payment({ chosen: { ...chosen, paid: '4', rest: '6' }, deposits: [deposit('credited')] })),
    'partial',
  )
  assert.equal(stageOf(payment({ status: paymentStatus.dropped, deposits: [deposit('dropped')] })), 'wait')
  for (const state of ['paid', 'timed_out', 'closed', 'refunding', 'refunded', 'in_doubt'] as const)
    assert.equal(stageOf(payment({ status: paymentStatus[state] })), state)
})

test('time left is never negative', () => {
  assert.deepEqual([0, -5, 59.9, 61, 3600, 86_399].map(timeLeft), [
    '0:00',
    '0:00',
    '0:59',
    '1:01',
    '1:00:00',
    '23:59:59',
  ])
})

test('groups keep every character of the address', () => {
  const address = `0x${'0123456789abcdef'.repeat(2)}01234567`
  assert.equal(inGroups(address).join(''), address)
})
