import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activePath } from './activePath.ts'

const paths = ['/', '/record', '/record/refund', '/property']

test('the active entry is the path itself or its nearest ancestor', () => {
  assert.equal(activePath('/', paths), '/')
  assert.equal(activePath('/record', paths), '/record')
  assert.equal(activePath('/record/refund', paths), '/record/refund')
  assert.equal(activePath('/property/fixedAddr', paths), '/property')
  assert.equal(activePath('/recorder', paths), undefined)
  assert.equal(activePath('/nothing', paths), undefined)
})
