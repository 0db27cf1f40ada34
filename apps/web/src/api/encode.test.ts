import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePassword } from './encode.ts'

test('a password is encoded as base64 of its UTF-8 bytes', () => {
  assert.equal(encodePassword('Abc12345'), 'QWJjMTIzNDU=')
  assert.equal(encodePassword('密码'), Buffer.from('密码', 'utf8').toString('base64'))
})
