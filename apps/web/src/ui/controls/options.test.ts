import assert from 'node:assert/strict'
import { test } from 'node:test'
import { includeSelected } from './options.ts'

const options = [{ value: 'app_1', label: 'Shop' }]

test('a chosen value that no option has is listed under its own name', () => {
  assert.deepEqual(includeSelected<string>(options, 'app_gone'), [...options, { value: 'app_gone', label: 'app_gone' }])
  assert.deepEqual(includeSelected<string>([], 'app_gone'), [{ value: 'app_gone', label: 'app_gone' }])
})

test('a known value and no value add nothing', () => {
  assert.equal(includeSelected<string>(options, 'app_1'), options)
  assert.equal(includeSelected<string>(options, ''), options)
})
