import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { buildFirstSteps } from './steps.ts'

const states = (state: MerchantState, applications: number, paidPayments: number, hasAuthenticator = false) =>
  buildFirstSteps({ status: merchantStatus[state], applications, paidPayments, hasAuthenticator })?.map(
    step => step.state,
  )

test('a new merchant has four steps to do', () => {
  assert.deepEqual(states('not_opened', 0, 0), ['todo', 'todo', 'todo', 'todo'])
})

test('a submitted request puts the first step under review', () => {
  assert.deepEqual(states('primary_audit', 0, 0), ['review', 'todo', 'todo', 'todo'])
  assert.deepEqual(states('advanced_audit', 1, 0), ['review', 'todo', 'done', 'todo'])
})

test('a refusal reopens the first step', () => {
  assert.deepEqual(states('failed_audit', 1, 0), ['todo', 'todo', 'done', 'todo'])
})

test('the steps stay until the third is done, or there are many payments', () => {
  assert.deepEqual(states('approved', 1, 0), ['done', 'todo', 'done', 'todo'])
  assert.deepEqual(states('approved', 0, 1, true), ['done', 'done', 'todo', 'done'])
  assert.deepEqual(states('approved', 0, 9), ['done', 'done', 'todo', 'todo'])
  assert.equal(states('approved', 0, 10), undefined)
  assert.equal(states('approved', 2, 1), undefined)
  assert.equal(states('not_opened', 1, 1), undefined)
})
