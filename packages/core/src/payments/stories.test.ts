import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computeSurplus, roundUpToRequestedUnit } from '../amounts.ts'
import { amountDue, applyPaymentEvent, minimumPaid } from './decide.ts'
import {
  depositCreditedEvent,
  depositDroppedEvent,
  depositSeenEvent,
  exampleOpenPayment,
  replayPaymentEvents,
} from './example.fixture.ts'
import type { Payment, PaymentEvent, PaymentState } from './payment.ts'
import { allowsPaymentTransition } from './transitions.ts'

/** Deposits of one payment as a chain may report them: seen, then credited, or dropped and possibly seen again. */
const stories = fc.array(
  fc.record({ counted: fc.bigInt(1n, 200n), late: fc.boolean(), fate: fc.constantFrom('credited', 'dropped', 'back') }),
  { maxLength: 8 },
)

test('for any sequence of deposits, sums agree, transitions are legal and paid payments stay paid', () => {
  fc.assert(
    fc.property(
      stories,
      fc.integer({ min: 0, max: 100 }),
      fc.infiniteStream(fc.nat(1_000)),
      (story, tolerance, chance) => {
        const waiting = story.map(({ counted, late, fate }): PaymentEvent[] => {
          const end = fate === 'credited' ? [depositCreditedEvent(counted, late)] : [depositDroppedEvent(counted)]
          const again = fate === 'back' ? [depositSeenEvent(counted, late), depositCreditedEvent(counted, late)] : []
          return [depositSeenEvent(counted, late), ...end, ...again]
        })
        let payment: Payment = { ...exampleOpenPayment, tolerancePermille: tolerance }
        while (waiting.some(each => each.length > 0)) {
          const left = waiting.filter(each => each.length > 0)
          const event = left[chance.next().value! % left.length]!.shift()!
          const decision = applyPaymentEvent(payment, event, 500)
          assert.ok('payment' in decision, event.type)
          const to: PaymentState = decision.payment.state
          assert.ok(allowsPaymentTransition(event.type, payment.state, to))
          if (payment.state === 'paid') assert.equal(to, 'paid')
          payment = decision.payment
          assert.ok(payment.pending >= 0n)
        }
        const inLedger = story.filter(each => each.fate !== 'dropped')
        assert.equal(payment.pending, 0n)
        assert.equal(
          payment.paid,
          inLedger.reduce((sum, each) => sum + each.counted, 0n),
        )
        const isLate = inLedger.some(each => each.late)
        // What came late to an exact payment, and is within its tolerance, changes nothing.
        const isLittle = payment.exception === 'none' && computeSurplus(payment) * 1_000n <= 100n * BigInt(tolerance)
        assert.equal(payment.exception === 'late', isLate && !isLittle)
        const inTime = inLedger.reduce((sum, each) => sum + (each.late ? 0n : each.counted), 0n)
        assert.equal(payment.state === 'paid', inTime >= minimumPaid(payment))
        assert.equal(payment.paidAt > 0, payment.state === 'paid')
      },
    ),
  )
})

test('nothing that a stranger adds to an exact payment changes it up to the tolerance, and what is beyond does', () => {
  const parts = fc.array(fc.record({ amount: fc.bigInt(1n, 40n), late: fc.boolean(), counts: fc.boolean() }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 200 }), (sent, tolerancePermille) => {
      const exact = replayPaymentEvents(
        { ...exampleOpenPayment, tolerancePermille },
        depositSeenEvent(100n),
        depositCreditedEvent(100n),
      ).payment
      const tolerated = BigInt(tolerancePermille) / 10n
      let payment = exact
      let counted = 0n
      let hasChanged = false
      for (const { amount, late, counts } of sent) {
        const credit = counts
          ? depositCreditedEvent(amount, late)
          : { ...depositCreditedEvent(0n, late), aside: amount }
        const after = replayPaymentEvents(payment, depositSeenEvent(counts ? amount : 0n, late), credit)
        payment = after.payment
        if (counts) counted += amount
        const isBeyond = counted + (counts ? 0n : amount) > tolerated
        // Another token, in time, is worth nothing to the payment.
        if (isBeyond && (late || counted > 0n)) hasChanged = true
        assert.deepEqual([payment.state, payment.exception !== 'none'], ['paid', hasChanged])
        if (!hasChanged) assert.deepEqual([payment.paidAt, after.sent], [exact.paidAt, ['payment.seen']])
      }
    }),
  )
})

test('whoever sends what is asked for, cut to six places, has paid, whatever another token counted for', () => {
  const decimals = 18
  const unit = 10n ** 12n
  fc.assert(
    fc.property(fc.bigInt(10_000n, 10n ** 12n), fc.bigInt(1n, 10n ** 30n), (units, some) => {
      const requested = units * unit
      const first = roundUpToRequestedUnit((some % (requested - 1n)) + 1n, decimals)
      let { payment } = replayPaymentEvents(
        { ...exampleOpenPayment, requested, decimals },
        depositSeenEvent(first),
        depositCreditedEvent(first),
      )
      const rest = amountDue(payment)
      assert.equal(rest % unit, 0n)
      assert.equal(rest === 0n, payment.state === 'paid')
      if (rest > 0n) payment = replayPaymentEvents(payment, depositSeenEvent(rest), depositCreditedEvent(rest)).payment
      assert.deepEqual([payment.state, payment.exception, amountDue(payment)], ['paid', 'none', 0n])
    }),
  )
})

test('less than a unit is no surplus, and what is short by a unit is not paid', () => {
  const requested = 20n * 10n ** 18n
  const unit = 10n ** 12n
  const after = (amount: bigint) =>
    replayPaymentEvents(
      { ...exampleOpenPayment, requested, decimals: 18 },
      depositSeenEvent(amount),
      depositCreditedEvent(amount),
    ).payment
  const states = [-unit, 1n - unit, unit - 1n, unit].map(off => after(requested + off))
  assert.deepEqual(
    states.map(each => `${each.state} ${each.exception}`),
    ['open partial', 'paid none', 'paid none', 'paid over'],
  )
})
