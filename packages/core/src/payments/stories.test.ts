import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decide, enough } from './decide.ts'
import { credited, dropped, open, seen } from './example.fixture.ts'
import type { Payment, PaymentEvent, PaymentState } from './payment.ts'
import { allows } from './transitions.ts'

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
          const end = fate === 'credited' ? [credited(counted, late)] : [dropped(counted)]
          const again = fate === 'back' ? [seen(counted, late), credited(counted, late)] : []
          return [seen(counted, late), ...end, ...again]
        })
        let payment: Payment = { ...open, tolerancePermille: tolerance }
        while (waiting.some(each => each.length > 0)) {
          const left = waiting.filter(each => each.length > 0)
          const event = left[chance.next().value! % left.length]!.shift()!
          const decision = decide(payment, event, 500)
          assert.ok('payment' in decision, event.type)
          const to: PaymentState = decision.payment.state
          assert.ok(allows(event.type, payment.state, to))
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
        assert.equal(
          payment.exception === 'late',
          inLedger.some(each => each.late),
        )
        const inTime = inLedger.reduce((sum, each) => sum + (each.late ? 0n : each.counted), 0n)
        assert.equal(payment.state === 'paid', inTime >= enough(payment))
        assert.equal(payment.paidAt > 0, payment.state === 'paid')
      },
    ),
  )
})
