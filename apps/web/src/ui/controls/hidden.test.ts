import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripHiddenCharacters } from './hidden.ts'

test('removes what is not seen from a text, and keeps what scripts need', () => {
  assert.equal(stripHiddenCharacters('\u202e12\u202c.\u200b50\ufeff'), '12.50')
  assert.equal(stripHiddenCharacters('\u2068Aurora\u2069'), 'Aurora')
  const joined = 'می\u200cخواهم 👨\u200d👩\u200d👧'
  assert.equal(stripHiddenCharacters(joined), joined)
})
