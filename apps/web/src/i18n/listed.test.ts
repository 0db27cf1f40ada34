import assert from 'node:assert/strict'
import { test } from 'node:test'
import { language } from './language.ts'
import { withNote } from './listed.ts'

test('a note stands in the brackets of the language', t => {
  const before = language.get()
  t.after(() => language.set(before))
  language.set('en')
  assert.equal(withNote('Ethereum', 'ERC20'), 'Ethereum (ERC20)')
  language.set('zh-CN')
  assert.equal(withNote('Ethereum', 'ERC20'), 'Ethereum（ERC20）')
  assert.equal(withNote('Ethereum', ''), 'Ethereum')
})
