import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLoginView } from './view.ts'

test('the fragment names the view, anything else is the sign-in', () => {
  assert.deepEqual(['#code', '#register', '#forgot'].map(parseLoginView), ['code', 'register', 'forgot'])
  for (const hash of ['', '#', '#signIn', '#Register', '#register/', '#constructor'])
    assert.equal(parseLoginView(hash), 'signIn')
})
