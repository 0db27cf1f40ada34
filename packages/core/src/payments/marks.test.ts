import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPaymentEvent, isDepositLate } from './decide.ts'
import { exampleOpenPayment } from './example.fixture.ts'
import type { Payment, PaymentEvent } from './payment.ts'

const markedPaid: PaymentEvent = { type: 'marked_paid' }
const markedInvalid: PaymentEvent = { type: 'marked_invalid' }

test('a mark is refused while a transfer awaits confirmations and after a refund', () => {
  for (const event of [markedPaid, markedInvalid]) {
    assert.deepEqual(applyPaymentEvent({ ...exampleOpenPayment, pending: 1n }, event, 500), { refused: 'cannot_mark' })
    for (const state of ['refunding', 'refunded'] as const)
      assert.deepEqual(
        applyPaymentEvent({ ...exampleOpenPayment, state }, event, 500),
        { refused: 'cannot_mark' },
        state,
      )
  }
  assert.deepEqual(applyPaymentEvent({ ...exampleOpenPayment, state: 'paid' }, markedPaid, 500), {
    refused: 'cannot_mark',
  })
  assert.deepEqual(applyPaymentEvent({ ...exampleOpenPayment, state: 'closed' }, markedInvalid, 500), {
    refused: 'cannot_mark',
  })
})

test('a payment in doubt is settled by a mark', () => {
  const doubted: Payment = { ...exampleOpenPayment, state: 'in_doubt', paid: 60n }
  const ends = [markedPaid, markedInvalid].map(event => applyPaymentEvent(doubted, event, 500))
  assert.deepEqual(
    ends.map(each => 'payment' in each && each.payment.state),
    ['paid', 'closed'],
  )
})

test('every deposit of a marked payment is late, whatever the time of its block', () => {
  for (const exception of ['marked_paid', 'marked_invalid'] as const)
    assert.equal(isDepositLate({ ...exampleOpenPayment, state: 'paid', exception }, 1), true)
})
