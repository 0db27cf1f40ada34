import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RequestRefused, RequestUnanswered } from '../api/failure.ts'
import { checkValues, chooseErrorPlace } from './rules.ts'

test('a refusal is told in one place: its field, else the banner, else a toast', () => {
  const values = { email: '', password: '' }
  const taken = new RequestRefused(422, 10017, 'Mailbox already exists', 'email')
  const wrong = new RequestRefused(422, 10066, 'Wrong email or password')
  assert.equal(chooseErrorPlace(taken, values, true), 'field')
  assert.equal(chooseErrorPlace(taken, { name: '' }, false), 'toast')
  assert.equal(chooseErrorPlace(wrong, values, true), 'banner')
  assert.equal(chooseErrorPlace(wrong, values, false), 'toast')
})

test('what the client tells itself stays a toast', () => {
  assert.equal(chooseErrorPlace(new RequestRefused(401, 401, 'Login expired'), {}, true), 'toast')
  assert.equal(chooseErrorPlace(new RequestUnanswered('network'), {}, true), 'toast')
})

test('what was switched on since the last submission is not wrong yet', () => {
  const wrong = (text: string | null) => text === '' && 'Please enter an amount'
  const rules = { single: wrong, passkey: wrong }
  const values: Record<'single' | 'passkey', string | null> = { single: '', passkey: '' }
  assert.deepEqual(Object.keys(checkValues(values, rules)), ['single', 'passkey'])
  assert.deepEqual(Object.keys(checkValues(values, rules, { single: '', passkey: null })), ['single'])
})
