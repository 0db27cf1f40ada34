import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, enough, isLate, rest, surplus } from './decide.ts'
import { credited, dropped, live, open, seen } from './example.fixture.ts'
import type { Payment, PaymentEvent, PaymentEventType } from './payment.ts'
import { accepts, transitions } from './transitions.ts'

const lives: [what: string, start: Payment, events: (PaymentEvent | number)[], end: Partial<Payment>, told: string][] =
  [
    [
      'paid exactly',
      open,
      [seen(100n), credited(100n)],
      { state: 'paid', exception: 'none', paid: 100n, paidAt: 500 },
      'seen paid',
    ],
    [
      'paid in two parts',
      open,
      [seen(60n), credited(60n), seen(40n), credited(40n)],
      { state: 'paid', exception: 'none' },
      'seen partial seen paid',
    ],
    [
      'partially paid',
      open,
      [seen(60n), credited(60n)],
      { state: 'open', exception: 'partial', paid: 60n },
      'seen partial',
    ],
    [
      'partially paid, then timed out',
      open,
      [seen(60n), credited(60n), 1000, { type: 'expired' }],
      { state: 'timed_out', exception: 'partial' },
      'seen partial timeout',
    ],
    [
      'overpaid',
      open,
      [seen(130n), credited(130n)],
      { state: 'paid', exception: 'over', paid: 130n },
      'seen paid over',
    ],
    [
      'paid, then another in-time deposit',
      open,
      [seen(100n), credited(100n), seen(5n), credited(5n)],
      { state: 'paid', exception: 'over' },
      'seen paid seen over',
    ],
    [
      'shortfall within the tolerance',
      { ...open, tolerancePermille: 50 },
      [seen(95n), credited(95n)],
      { state: 'paid', exception: 'none' },
      'seen paid',
    ],
    [
      'shortfall beyond the tolerance',
      { ...open, tolerancePermille: 50 },
      [seen(94n), credited(94n)],
      { state: 'open', exception: 'partial' },
      'seen partial',
    ],
    [
      'paid after the timeout',
      open,
      [1000, { type: 'expired' }, seen(100n, true), credited(100n, true)],
      { state: 'timed_out', exception: 'late', paid: 100n, paidAt: 0 },
      'timeout seen late',
    ],
    [
      'paid after closing',
      open,
      [{ type: 'closed' }, seen(100n, true), credited(100n, true)],
      { state: 'closed', exception: 'late', closedAt: 500 },
      'closed seen late',
    ],
    [
      'late deposit credited before the timeout',
      open,
      [1001, seen(100n, true), credited(100n, true), { type: 'expired' }],
      { state: 'timed_out', exception: 'late' },
      'seen late timeout',
    ],
    [
      'paid, then a late deposit',
      open,
      [seen(100n), credited(100n), 2000, seen(7n, true), credited(7n, true)],
      { state: 'paid', exception: 'late', paid: 107n },
      'seen paid seen late',
    ],
    [
      'in-time part credited after a late part',
      open,
      [seen(50n), 1001, seen(50n, true), credited(50n, true), credited(50n), { type: 'expired' }],
      { state: 'timed_out', exception: 'late', paid: 100n, late: 50n, paidAt: 0 },
      'seen seen late timeout',
    ],
    [
      'in-time full amount credited after a late deposit',
      open,
      [seen(100n), 1001, seen(1n, true), credited(1n, true), credited(100n)],
      { state: 'paid', exception: 'late', paidAt: 1001 },
      'seen seen late paid',
    ],
    ['dropped', open, [seen(100n), dropped(100n)], { state: 'dropped', pending: 0n }, 'seen chain_failure'],
    [
      'dropped and seen again',
      open,
      [seen(100n), dropped(100n), seen(100n), credited(100n)],
      { state: 'paid' },
      'seen chain_failure seen paid',
    ],
    [
      'dropped, then timed out',
      open,
      [seen(100n), dropped(100n), 1000, { type: 'expired' }],
      { state: 'timed_out' },
      'seen chain_failure timeout',
    ],
    [
      'one of two deposits dropped',
      open,
      [seen(50n), seen(50n), dropped(50n), credited(50n)],
      { state: 'open', exception: 'partial' },
      'seen seen partial',
    ],
    [
      'dropped after another deposit was credited',
      open,
      [seen(50n), credited(50n), seen(50n), dropped(50n)],
      { state: 'open', exception: 'partial' },
      'seen partial seen',
    ],
    [
      'late deposit on a dropped payment',
      { ...open, state: 'dropped' },
      [1001, seen(100n, true), credited(100n, true)],
      { state: 'dropped', exception: 'late' },
      'seen late',
    ],
    [
      'credit in doubt',
      open,
      [seen(100n), credited(100n), { type: 'deposit_doubted' }],
      { state: 'in_doubt', paid: 100n },
      'seen paid error',
    ],
    [
      'credit in doubt and restored',
      open,
      [seen(100n), credited(100n), { type: 'deposit_doubted' }, { type: 'deposit_restored' }],
      { state: 'paid' },
      'seen paid error paid',
    ],
    [
      'part in doubt and restored',
      open,
      [seen(60n), credited(60n), { type: 'deposit_doubted' }, { type: 'deposit_restored' }],
      { state: 'open' },
      'seen partial error partial',
    ],
    [
      'part in doubt and restored after the deadline',
      open,
      [seen(60n), credited(60n), { type: 'deposit_doubted' }, 1000, { type: 'deposit_restored' }, { type: 'expired' }],
      { state: 'timed_out' },
      'seen partial error partial timeout',
    ],
    [
      'part in doubt and restored after the deadline, then the rest credited in time',
      open,
      [
        seen(60n),
        credited(60n),
        { type: 'deposit_doubted' },
        1000,
        { type: 'deposit_restored' },
        seen(40n),
        credited(40n),
      ],
      { state: 'paid', exception: 'none' },
      'seen partial error partial seen paid',
    ],
    [
      'part in doubt, the rest credited in time, then restored after the deadline',
      open,
      [
        seen(60n),
        credited(60n),
        { type: 'deposit_doubted' },
        seen(40n),
        credited(40n),
        1000,
        { type: 'deposit_restored' },
      ],
      { state: 'paid', exception: 'none', paid: 100n, paidAt: 1000 },
      'seen partial error seen paid',
    ],
    [
      'part in doubt, the rest credited late, then restored',
      open,
      [
        seen(60n),
        credited(60n),
        { type: 'deposit_doubted' },
        1001,
        seen(40n, true),
        credited(40n, true),
        { type: 'deposit_restored' },
        { type: 'expired' },
      ],
      { state: 'timed_out', exception: 'late', paid: 100n, paidAt: 0 },
      'seen partial error seen late timeout',
    ],
    [
      'late deposit on a closed payment in doubt and restored',
      open,
      [
        { type: 'closed' },
        seen(100n, true),
        credited(100n, true),
        { type: 'deposit_doubted' },
        { type: 'deposit_restored' },
      ],
      { state: 'closed', exception: 'late', paidAt: 0 },
      'closed seen late error closed',
    ],
    [
      'credit reversed',
      open,
      [seen(100n), credited(100n), { type: 'deposit_doubted' }, { type: 'deposit_undone', counted: 100n }],
      { state: 'in_doubt', paid: 0n },
      'seen paid error',
    ],
    [
      'in doubt while it is refunded, then restored',
      open,
      [
        seen(100n),
        credited(100n),
        { type: 'refund_started' },
        { type: 'deposit_doubted' },
        { type: 'deposit_restored', refund: 'started' },
        { type: 'deposit_doubted' },
        { type: 'deposit_restored', refund: 'whole' },
      ],
      { state: 'refunded', paid: 100n },
      'seen paid error error',
    ],
    [
      'refunded',
      open,
      [seen(100n), credited(100n), { type: 'refund_started' }, { type: 'refund_finished', whole: true }],
      { state: 'refunded' },
      'seen paid',
    ],
    [
      'surplus refunded',
      open,
      [seen(130n), credited(130n), { type: 'refund_started' }, { type: 'refund_finished', whole: false }],
      { state: 'paid', exception: 'over' },
      'seen paid over',
    ],
    [
      'refund cancelled',
      open,
      [seen(100n), credited(100n), { type: 'refund_started' }, { type: 'refund_cancelled' }],
      { state: 'paid' },
      'seen paid',
    ],
    [
      'refund of a late deposit cancelled',
      open,
      [
        1000,
        { type: 'expired' },
        seen(100n, true),
        credited(100n, true),
        { type: 'refund_started' },
        { type: 'refund_cancelled' },
      ],
      { state: 'timed_out' },
      'timeout seen late',
    ],
  ]
for (const [what, start, events, end, told] of lives) {
  test(what, () => {
    const lived = live(start, ...events)
    assert.deepEqual({ ...lived.payment, ...end }, lived.payment)
    assert.deepEqual(
      lived.told,
      told.split(' ').map(each => `payment.${each}`),
    )
  })
}

const refusals: [what: string, start: Payment, event: PaymentEvent, now: number, refused: string][] = [
  ['choosing after the deadline', open, { type: 'asset_chosen', asked: 5n }, 1000, 'payment_ended'],
  ['choosing once closed', { ...open, state: 'closed' }, { type: 'asset_chosen', asked: 5n }, 500, 'payment_ended'],
  [
    'choosing once a deposit was seen',
    { ...open, pending: 1n },
    { type: 'asset_chosen', asked: 5n },
    500,
    'asset_locked',
  ],
  [
    'choosing once a deposit was credited',
    { ...open, paid: 1n },
    { type: 'asset_chosen', asked: 5n },
    500,
    'asset_locked',
  ],
  ['closing once a deposit was seen', { ...open, pending: 1n }, { type: 'closed' }, 500, 'cannot_close'],
  ['closing once partially paid', { ...open, paid: 1n }, { type: 'closed' }, 500, 'cannot_close'],
  ['closing a paid payment', { ...open, state: 'paid' }, { type: 'closed' }, 500, 'cannot_close'],
  ['closing twice', { ...open, state: 'closed' }, { type: 'closed' }, 500, 'cannot_close'],
  ['refunding an open payment', { ...open, paid: 50n }, { type: 'refund_started' }, 500, 'cannot_refund'],
  ['refunding nothing', { ...open, state: 'timed_out' }, { type: 'refund_started' }, 500, 'cannot_refund'],
  ['refunding twice', { ...open, state: 'refunded', paid: 100n }, { type: 'refund_started' }, 500, 'cannot_refund'],
  ['timing out a paid payment', { ...open, state: 'paid' }, { type: 'expired' }, 2000, 'illegal_transition'],
  [
    'reversing a credit that is not in doubt',
    { ...open, state: 'paid' },
    { type: 'deposit_undone', counted: 1n },
    500,
    'illegal_transition',
  ],
  [
    'creating an existing payment',
    open,
    { type: 'created', tolerancePermille: 0, expireAt: 1 },
    500,
    'illegal_transition',
  ],
]
for (const [what, start, event, now, refused] of refusals) {
  test(`refuses ${what}`, () => assert.deepEqual(decide(start, event, now), { refused }))
}

test('a new payment is open, and only `created` is accepted before it exists', () => {
  const made = decide(null, { type: 'created', tolerancePermille: 3, expireAt: 9 }, 1)
  assert.ok('payment' in made)
  assert.deepEqual([made.payment.state, made.payment.tolerancePermille, made.payment.expireAt], ['open', 3, 9])
  for (const type of Object.keys(transitions) as PaymentEventType[]) {
    assert.equal(accepts(type, 'new'), type === 'created', type)
  }
})

test('rest, enough and surplus', () => {
  assert.deepEqual([rest(open), enough({ ...open, tolerancePermille: 15 }), surplus(open)], [100n, 99n, 0n])
  assert.deepEqual([rest({ ...open, paid: 130n }), surplus({ ...open, paid: 130n })], [0n, 30n])
})

test('a deposit is late by its block time or once the payment has ended', () => {
  const cases: [payment: Partial<Payment>, blockTime: number, late: boolean][] = [
    [{}, 1000, false],
    [{}, 1001, true],
    [{ state: 'dropped' }, 1000, false],
    [{ state: 'paid' }, 900, false],
    [{ state: 'timed_out' }, 900, true],
    [{ state: 'closed', closedAt: 800 }, 900, true],
    [{ state: 'refunded' }, 900, true],
    [{ state: 'in_doubt' }, 1000, false],
    [{ state: 'in_doubt' }, 1001, true],
    [{ state: 'in_doubt', closedAt: 800 }, 900, true],
  ]
  for (const [payment, blockTime, late] of cases) assert.equal(isLate({ ...open, ...payment }, blockTime), late)
})
