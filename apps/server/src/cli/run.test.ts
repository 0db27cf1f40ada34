import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usage, usageError } from './run.ts'

const shown = (...words: string[]) => [...usage(words).matchAll(/^ {2}(.+?) {2}/gm)].map(([, line]) => line)

test('shows help for the commands that match the words, else for all', () => {
  const all = shown()
  assert.ok(all.includes('chain status') && all.includes('signer init') && all.includes('merchant approve <mchid>'))
  assert.deepEqual(shown('signer'), ['signer init', 'signer restore', 'signer vault <folder>'])
  assert.deepEqual(shown('merchant', 'approve'), ['merchant approve <mchid>'])
  assert.ok(shown('chain').length > 1 && shown('chain').every(line => line?.startsWith('chain ')))
  assert.deepEqual(shown('chain', 'frobnicate'), shown('chain'))
  assert.deepEqual(shown('frobnicate'), all)
})

test('explains a usage error in one line', () => {
  assert.equal(usageError(['frobnicate', 'all']), 'Unknown command "frobnicate all".')
  assert.equal(usageError(['chain']), '"chain" needs a subcommand.')
  assert.equal(usageError(['chain', 'stop']), 'Unknown command "chain stop".')
  assert.equal(usageError(['merchant', 'refuse', 'M1']), 'Missing argument: merchant refuse <mchid> <reason>')
})
