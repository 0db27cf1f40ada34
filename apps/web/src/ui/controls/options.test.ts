import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withChosen } from './options.ts'

const options = [{ value: 'app_1', label: 'Shop' }]

test('a chosen value that no option has is listed under its own name', () => {
  assert.deepEqual(withChosen<string>(options, 'app_gone'), [...options, { value: 'app_gone', label: 'app_gone' }])
  assert.deepEqual(withChosen<string>([], 'app_gone'), [{ value: 'app_gone', label: 'app_gone' }])
})

test('a known value and no value add nothing', () => {
  assert.equal(withChosen<string>(options, 'app_1'), options)
  assert.equal(withChosen<string>(options, ''), options)
})
