import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallbackState, callbackStatus, type PaymentException, paymentStatus } from '@coffer/contract'
import { type PaymentDeviation, paymentStates } from '@coffer/core'
import type { CallbackState as CoreCallbackState } from '@coffer/core/callbacks/schedule.ts'

/** True if the two types are mutually assignable. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

test('the core and the contract define the same states', () => {
  const same: Same<CallbackState, CoreCallbackState> & Same<PaymentException, PaymentDeviation> = true
  assert.ok(same)
  assert.deepEqual(paymentStates, Object.keys(paymentStatus))
})

test('status codes are those of the specification, and keep their numbers', () => {
  assert.deepEqual(Object.values(paymentStatus), [1, 2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(Object.values(callbackStatus), [1, 2, 3, 4, 5])
})
