import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayApply, reviewSteps } from './progress.ts'

const states = (status: number) => reviewSteps(status)?.map(step => step.state)

test('the steps follow the merchant status', () => {
  assert.deepEqual(states(1), ['done', 'current', 'waiting', 'waiting'])
  assert.deepEqual(states(2), ['done', 'done', 'current', 'waiting'])
  assert.deepEqual(states(3), ['done', 'done', 'done', 'done'])
  for (const status of [0, 4, 5, 9]) assert.equal(reviewSteps(status), null)
})

test('the form is for those who have not asked, or were refused', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5].filter(mayApply), [0, 4])
})
