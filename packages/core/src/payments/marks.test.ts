import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, isLate } from './decide.ts'
import { credited, live, open, seen } from './example.fixture.ts'
import type { Payment, PaymentEvent } from './payment.ts'

const markedPaid: PaymentEvent = { type: 'marked_paid' }
const markedInvalid: PaymentEvent = { type: 'marked_invalid' }

const lives: [what: string, start: Payment, events: (PaymentEvent | number)[], end: Partial<Payment>, told: string][] =
  [
    [
      'marked as paid without a deposit; what comes later is late and changes no mark',
      open,
      [markedPaid, seen(100n, true), credited(100n, true)],
      { state: 'paid', exception: 'marked_paid', paid: 100n, paidAt: 500 },
      'paid seen late',
    ],
    [
      'late, then marked as paid',
      open,
      [1000, { type: 'expired' }, seen(100n, true), credited(100n, true), markedPaid],
      { state: 'paid', exception: 'marked_paid', paid: 100n, paidAt: 1000 },
      'timeout seen late paid',
    ],
    [
      'partly paid, marked as paid, in doubt and restored',
      open,
      [seen(60n), credited(60n), markedPaid, { type: 'deposit_doubted' }, 2000, { type: 'deposit_restored' }],
      { state: 'paid', exception: 'marked_paid', paid: 60n },
      'seen partial paid error paid',
    ],
    [
      'paid, marked as invalid, then as paid again',
      open,
      [seen(100n), credited(100n), markedInvalid, 600, markedPaid],
      { state: 'paid', exception: 'marked_paid', paidAt: 500, closedAt: 500 },
      'seen paid closed paid',
    ],
    [
      'marked as invalid, then paid',
      open,
      [markedInvalid, seen(100n, true), credited(100n, true)],
      { state: 'closed', exception: 'marked_invalid', paid: 100n, closedAt: 500 },
      'closed seen late',
    ],
  ]

for (const [what, start, events, end, told] of lives)
  test(what, () => {
    const { payment, told: heard } = live(start, ...events)
    assert.deepEqual({ ...payment, ...end }, payment)
    assert.equal(heard.join(' '), told.replace(/\b\w+/g, 'payment.$&'))
  })

test('a mark is refused while a transfer awaits confirmations and after a refund', () => {
  for (const event of [markedPaid, markedInvalid]) {
    assert.deepEqual(decide({ ...open, pending: 1n }, event, 500), { refused: 'cannot_mark' })
    for (const state of ['refunding', 'refunded'] as const)
      assert.deepEqual(decide({ ...open, state }, event, 500), { refused: 'cannot_mark' }, state)
  }
  assert.deepEqual(decide({ ...open, state: 'paid' }, markedPaid, 500), { refused: 'cannot_mark' })
  assert.deepEqual(decide({ ...open, state: 'closed' }, markedInvalid, 500), { refused: 'cannot_mark' })
})

test('a payment in doubt is settled by a mark', () => {
  const doubted: Payment = { ...open, state: 'in_doubt', paid: 60n }
  const ends = [markedPaid, markedInvalid].map(event => decide(doubted, event, 500))
  assert.deepEqual(
    ends.map(each => 'payment' in each && each.payment.state),
    ['paid', 'closed'],
  )
})

test('every deposit of a marked payment is late, whatever the time of its block', () => {
  for (const exception of ['marked_paid', 'marked_invalid'] as const)
    assert.equal(isLate({ ...open, state: 'paid', exception }, 1), true)
})
