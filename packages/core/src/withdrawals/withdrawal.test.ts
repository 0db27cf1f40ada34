import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowsWithdrawalTransition,
  finalWithdrawalStates,
  withdrawalEvents,
  withdrawalStates,
  withdrawalTransitions,
} from './withdrawal.ts'

test('a withdrawal ends rejected, canceled or accomplished, and an abnormal one waits for a person', () => {
  assert.deepEqual(finalWithdrawalStates, ['audit_rejected', 'accomplished', 'canceled'])
})

test('from every state the events lead to an end', () => {
  for (const start of withdrawalStates) {
    const reached = new Set([start])
    for (const from of reached) {
      for (const event of withdrawalEvents) for (const to of withdrawalTransitions[event][from] ?? []) reached.add(to)
    }
    assert.ok(
      finalWithdrawalStates.some(state => reached.has(state)),
      start,
    )
  }
})

test('money that may have left is never released by a cancellation alone', () => {
  for (const from of ['confirming', 'abnormal', 'accomplished'] as const) {
    for (const event of ['canceled', 'rejected'] as const)
      assert.ok(!allowsWithdrawalTransition(event, from, 'canceled'), event)
  }
  assert.ok(allowsWithdrawalTransition('canceled', 'auditing', 'canceled'))
  assert.ok(!allowsWithdrawalTransition('approved', 'canceled', 'transferring'))
})
