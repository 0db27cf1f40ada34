import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAreaCode } from '@coffer/contract/kit/validators.ts'
import { areaCodes, findAreaCode } from './areaCodes.ts'

test('every region is listed once, with a code the server accepts', () => {
  assert.equal(new Set(areaCodes.map(each => each.region)).size, areaCodes.length)
  for (const { region, code } of areaCodes) {
    assert.match(region, /^[A-Z]{2}$/)
    assert.ok(isAreaCode(code), region)
  }
})

test('finds the entry of a stored code, with or without a plus', () => {
  assert.deepEqual(findAreaCode('+86'), { region: 'CN', code: '86' })
  assert.deepEqual(findAreaCode('1'), { region: 'US', code: '1' })
  assert.equal(findAreaCode(''), null)
})
