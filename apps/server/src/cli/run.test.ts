import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usage, usageError } from './run.ts'

const shown = (...words: string[]) => [...usage(words).matchAll(/^ {2}(.+?) {2}/gm)].map(([, line]) => line)

test('shows help for the commands that match the words, else for all', () => {
  const all = shown()
  assert.ok(all.includes('chain status') && all.includes('signer init') && all.includes('merchant approve <mchid>'))
  assert.deepEqual(shown('signer').toSorted(), [
    'signer exposure',
    'signer init',
    'signer restore',
    'signer vault <folder>',
  ])
  assert.deepEqual(shown('merchant', 'approve'), ['merchant approve <mchid>'])
  assert.ok(shown('chain').length > 1 && shown('chain').every(line => line?.startsWith('chain ')))
  assert.deepEqual(shown('chain', 'frobnicate'), shown('chain'))
  assert.deepEqual(shown('frobnicate'), all)
})

test('explains a usage error in one line', () => {
  assert.equal(usageError(['frobnicate', 'all']), 'Unknown command "frobnicate all". See "npm run coffer -- help".')
  assert.equal(usageError(['chain']), '"chain" needs a subcommand: status, resume, reread.')
  assert.equal(usageError(['chain', 'stats']), 'Unknown command "chain stats". Did you mean "chain status"?')
  assert.equal(usageError(['chain', 'frobnicate']), 'Unknown command "chain frobnicate". See "npm run coffer -- help".')
  assert.equal(usageError(['order', 'list']), 'Unknown command "order list". Did you mean "work-order list"?')
  assert.equal(usageError(['merchnt', 'list']), 'Unknown command "merchnt list". Did you mean "merchant list"?')
  assert.equal(usageError(['merchant', 'refuse', 'M1']), 'Missing argument: merchant refuse <mchid> <reason>')
})
