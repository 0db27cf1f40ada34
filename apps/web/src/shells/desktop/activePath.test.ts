import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activePath } from './activePath.ts'

const paths = ['/', '/record', '/record/refund', '/property']

test('a path belongs to itself, or to the nearest entry above it', () => {
  assert.equal(activePath('/', paths), '/')
  assert.equal(activePath('/record', paths), '/record')
  assert.equal(activePath('/record/refund', paths), '/record/refund')
  assert.equal(activePath('/property/fixedAddr', paths), '/property')
  assert.equal(activePath('/recorder', paths), undefined)
  assert.equal(activePath('/nothing', paths), undefined)
})
