import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeSurplus } from '../amounts.ts'
import { applyPaymentEvent, isDepositLate, minimumPaid, uncreditedAmount } from './decide.ts'
import { exampleOpenPayment, parsePaymentEvents, replayPaymentEvents } from './example.fixture.ts'
import type {
  Payment,
  PaymentDeviation,
  PaymentEvent,
  PaymentEventType,
  PaymentRefusal,
  PaymentState,
} from './payment.ts'
import { acceptsPaymentEvent, paymentTransitions } from './transitions.ts'

/** `ends` is the state and the exception, `-` where any will do. Events happen at 500 unless they say otherwise. */
type Life = [
  what: string,
  events: string,
  ends: `${PaymentState} ${PaymentDeviation | '-'}`,
  callbacks: string,
  amounts?: Partial<Payment>,
  start?: Partial<Payment>,
]
// biome-ignore format: a table
const lives: Life[] = [
  ['paid exactly', 'see 100, credit 100', 'paid none', 'seen paid', { paid: 100n, paidAt: 500 }],
  ['paid in two parts', 'see 60, credit 60, see 40, credit 40', 'paid none', 'seen partial seen paid'],
  ['partially paid', 'see 60, credit 60', 'open partial', 'seen partial', { paid: 60n }],
  ['partially paid, then timed out', 'see 60, credit 60, at 1000, expire', 'timed_out partial', 'seen partial timeout'],
  ['overpaid', 'see 130, credit 130', 'paid over', 'seen paid over', { paid: 130n }],
  ['paid, then another in-time deposit', 'see 100, credit 100, see 5, credit 5', 'paid over', 'seen paid seen over'],
  ['paid, then more within the tolerance, in time and late',
    'see 100, credit 100, see 3, credit 3, at 2000, see 2 late, credit 2 late', 'paid none', 'seen paid seen seen', { paid: 105n, late: 2n }, { tolerancePermille: 50 }],
  ['paid, then little by little more than the tolerance',
    'see 100, credit 100, see 5, credit 5, see 1, credit 1', 'paid over', 'seen paid seen seen over', { paid: 106n }, { tolerancePermille: 50 }],
  ['paid, then late money that does not count', 'see 100, credit 100, credit other 40 late', 'paid late', 'seen paid late', { paid: 100n, late: 0n }],
  ['paid, then late money that does not count, below the tolerance and above',
    'see 100, credit 100, credit other 5 late, credit other 6 late', 'paid late', 'seen paid late', {}, { tolerancePermille: 50 }],
  ['paid, then late money of unknown worth', 'see 100, credit 100, credit unpriced 0 late', 'paid late', 'seen paid late', {}, { tolerancePermille: 50 }],
  ['paid, then money in time that does not count', 'see 100, credit 100, credit other 40', 'paid none', 'seen paid'],
  ['shortfall within the tolerance', 'see 95, credit 95', 'paid none', 'seen paid', {}, { tolerancePermille: 50 }],
  ['shortfall beyond the tolerance', 'see 94, credit 94', 'open partial', 'seen partial', {}, { tolerancePermille: 50 }],
  ['paid after the timeout', 'at 1000, expire, see 100 late, credit 100 late', 'timed_out late', 'timeout seen late', { paid: 100n, paidAt: 0 }],
  ['paid after closing', 'close, see 100 late, credit 100 late', 'closed late', 'closed seen late', { closedAt: 500 }],
  ['late deposit credited before the timeout', 'at 1001, see 100 late, credit 100 late, expire', 'timed_out late', 'seen late timeout'],
  ['paid, then a late deposit', 'see 100, credit 100, at 2000, see 7 late, credit 7 late', 'paid late', 'seen paid seen late', { paid: 107n }],
  ['in-time part credited after a late part',
    'see 50, at 1001, see 50 late, credit 50 late, credit 50, expire', 'timed_out late', 'seen seen late timeout', { paid: 100n, late: 50n, paidAt: 0 }],
  ['in-time full amount credited after a late deposit',
    'see 100, at 1001, see 1 late, credit 1 late, credit 100', 'paid late', 'seen seen late paid', { paidAt: 1001 }],
  ['dropped', 'see 100, drop 100', 'dropped -', 'seen chain_failure', { pending: 0n }],
  ['dropped and seen again', 'see 100, drop 100, see 100, credit 100', 'paid -', 'seen chain_failure seen paid'],
  ['dropped, then timed out', 'see 100, drop 100, at 1000, expire', 'timed_out -', 'seen chain_failure timeout'],
  ['one of two deposits dropped', 'see 50, see 50, drop 50, credit 50', 'open partial', 'seen seen partial'],
  ['dropped after another deposit was credited', 'see 50, credit 50, see 50, drop 50', 'open partial', 'seen partial seen'],
  ['late deposit on a dropped payment', 'at 1001, see 100 late, credit 100 late', 'dropped late', 'seen late', {}, { state: 'dropped' }],
  ['credit in doubt', 'see 100, credit 100, doubt', 'in_doubt -', 'seen paid error', { paid: 100n }],
  ['credit in doubt and restored', 'see 100, credit 100, doubt, restore', 'paid -', 'seen paid error paid'],
  ['part in doubt and restored', 'see 60, credit 60, doubt, restore', 'open -', 'seen partial error partial'],
  ['part in doubt and restored after the deadline',
    'see 60, credit 60, doubt, at 1000, restore, expire', 'timed_out -', 'seen partial error partial timeout'],
  ['part in doubt and restored after the deadline, then the rest credited in time',
    'see 60, credit 60, doubt, at 1000, restore, see 40, credit 40', 'paid none', 'seen partial error partial seen paid'],
  ['part in doubt, the rest credited in time, then restored after the deadline',
    'see 60, credit 60, doubt, see 40, credit 40, at 1000, restore', 'paid none', 'seen partial error seen paid', { paid: 100n, paidAt: 1000 }],
  ['part in doubt, the rest credited late, then restored',
    'see 60, credit 60, doubt, at 1001, see 40 late, credit 40 late, restore, expire', 'timed_out late', 'seen partial error seen late timeout', { paid: 100n, paidAt: 0 }],
  ['late deposit on a closed payment in doubt and restored',
    'close, see 100 late, credit 100 late, doubt, restore', 'closed late', 'closed seen late error closed', { paidAt: 0 }],
  ['credit reversed', 'see 100, credit 100, doubt, undo 100', 'in_doubt -', 'seen paid error', { paid: 0n }],
  ['in doubt while it is refunded, then restored',
    'see 100, credit 100, refund, doubt, restore refunding, doubt, restore refunded', 'refunded -', 'seen paid error error', { paid: 100n }],
  ['refunded', 'see 100, credit 100, refund, refund all', 'refunded -', 'seen paid'],
  ['surplus refunded', 'see 130, credit 130, refund, refund some', 'paid over', 'seen paid over'],
  ['refund cancelled', 'see 100, credit 100, refund, cancel refund', 'paid -', 'seen paid'],
  ['refund of a late deposit cancelled', 'at 1000, expire, see 100 late, credit 100 late, refund, cancel refund', 'timed_out -', 'timeout seen late'],
  ['marked as paid without a deposit; what comes later is late and changes no mark',
    'mark paid, see 100 late, credit 100 late', 'paid marked_paid', 'paid seen late', { paid: 100n, paidAt: 500 }],
  ['late, then marked as paid',
    'at 1000, expire, see 100 late, credit 100 late, mark paid', 'paid marked_paid', 'timeout seen late paid', { paid: 100n, paidAt: 1000 }],
  ['partly paid, marked as paid, in doubt and restored',
    'see 60, credit 60, mark paid, doubt, at 2000, restore', 'paid marked_paid', 'seen partial paid error paid', { paid: 60n }],
  ['paid, marked as invalid, then as paid again',
    'see 100, credit 100, mark invalid, at 600, mark paid', 'paid marked_paid', 'seen paid closed paid', { paidAt: 500, closedAt: 500 }],
  ['marked as invalid, then paid',
    'mark invalid, see 100 late, credit 100 late', 'closed marked_invalid', 'closed seen late', { paid: 100n, closedAt: 500 }],
]
for (const [what, events, ends, callbacks, amounts = {}, start = {}] of lives) {
  test(what, () => {
    const { payment, sent } = replayPaymentEvents({ ...exampleOpenPayment, ...start }, ...parsePaymentEvents(events))
    const [state, exception] = ends.split(' ')
    assert.deepEqual([payment.state, exception === '-' ? '-' : payment.exception], [state, exception])
    assert.deepEqual({ ...payment, ...amounts }, payment)
    assert.equal(sent.join(' '), callbacks.replace(/\b\w+/g, 'payment.$&'))
  })
}

// biome-ignore format: a table
const refusals: [what: string, start: Partial<Payment>, events: string, refused: PaymentRefusal][] = [
  ['choosing after the deadline', {}, 'at 1000, choose 5', 'payment_ended'],
  ['choosing once closed', { state: 'closed' }, 'choose 5', 'payment_ended'],
  ['choosing once a deposit was seen', { pending: 1n }, 'choose 5', 'asset_locked'],
  ['choosing once a deposit was credited', { paid: 1n }, 'choose 5', 'asset_locked'],
  ['closing once a deposit was seen', { pending: 1n }, 'close', 'cannot_close'],
  ['closing once partially paid', { paid: 1n }, 'close', 'cannot_close'],
  ['closing a paid payment', { state: 'paid' }, 'close', 'cannot_close'],
  ['closing twice', { state: 'closed' }, 'close', 'cannot_close'],
  ['refunding an open payment', { paid: 50n }, 'refund', 'cannot_refund'],
  ['refunding nothing', { state: 'timed_out' }, 'refund', 'cannot_refund'],
  ['refunding twice', { state: 'refunded', paid: 100n }, 'refund', 'cannot_refund'],
  ['timing out a paid payment', { state: 'paid' }, 'at 2000, expire', 'illegal_transition'],
  ['reversing a credit that is not in doubt', { state: 'paid' }, 'undo 1', 'illegal_transition'],
  ['creating an existing payment', {}, 'create', 'illegal_transition'],
]
for (const [what, start, events, refused] of refusals) {
  test(`refuses ${what}`, () => {
    const [event, now = 500] = parsePaymentEvents(events).reverse() as [PaymentEvent, number?]
    assert.deepEqual(applyPaymentEvent({ ...exampleOpenPayment, ...start }, event, now), { refused })
  })
}

test('a new payment is open, and only `created` is accepted before it exists', () => {
  const made = applyPaymentEvent(null, { type: 'created', tolerancePermille: 3, expireAt: 9 }, 1)
  assert.ok('payment' in made)
  assert.deepEqual([made.payment.state, made.payment.tolerancePermille, made.payment.expireAt], ['open', 3, 9])
  for (const type of Object.keys(paymentTransitions) as PaymentEventType[]) {
    assert.equal(acceptsPaymentEvent(type, 'new'), type === 'created', type)
  }
})

test('rest, enough and surplus', () => {
  assert.deepEqual(
    [
      uncreditedAmount(exampleOpenPayment),
      minimumPaid({ ...exampleOpenPayment, tolerancePermille: 15 }),
      computeSurplus(exampleOpenPayment),
    ],
    [100n, 99n, 0n],
  )
  assert.deepEqual(
    [uncreditedAmount({ ...exampleOpenPayment, paid: 130n }), computeSurplus({ ...exampleOpenPayment, paid: 130n })],
    [0n, 30n],
  )
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
  for (const [payment, blockTime, late] of cases)
    assert.equal(isDepositLate({ ...exampleOpenPayment, ...payment }, blockTime), late)
})
