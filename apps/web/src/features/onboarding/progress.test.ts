import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MerchantState, merchantStatus } from '@coffer/contract/codes.ts'
import { buildReviewSteps, canRequestMerchantPermission } from './progress.ts'

const states = (state: MerchantState) => buildReviewSteps(merchantStatus[state])?.map(step => step.state)

test('the steps follow the merchant status', () => {
  assert.deepEqual(states('primary_audit'), ['done', 'current', 'waiting', 'waiting'])
  assert.deepEqual(states('advanced_audit'), ['done', 'done', 'current', 'waiting'])
  assert.deepEqual(states('approved'), ['done', 'done', 'done', 'done'])
  for (const state of ['not_opened', 'failed_audit', 'abnormal'] as const) assert.equal(states(state), undefined)
  assert.equal(buildReviewSteps(9), null)
})

test('the form is open before a request and after a refusal', () => {
  const all = Object.entries(merchantStatus)
  assert.deepEqual(
    all.flatMap(([state, status]) => (canRequestMerchantPermission(status) ? state : [])),
    ['not_opened', 'failed_audit'],
  )
})
