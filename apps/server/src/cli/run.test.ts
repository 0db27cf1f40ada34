import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misunderstood, usage } from './run.ts'

const shown = (...words: string[]) => [...usage(words).matchAll(/^ {2}(.+?) {2}/gm)].map(([, line]) => line)

test('help shows what begins as the words do, and everything when nothing does', () => {
  const all = shown()
  assert.ok(all.includes('chain status') && all.includes('signer init') && all.includes('merchant approve <mchid>'))
  assert.deepEqual(shown('signer'), ['signer init'])
  assert.deepEqual(shown('merchant', 'approve'), ['merchant approve <mchid>'])
  assert.ok(shown('chain').length > 1 && shown('chain').every(line => line?.startsWith('chain ')))
  assert.deepEqual(shown('chain', 'frobnicate'), shown('chain'))
  assert.deepEqual(shown('frobnicate'), all)
})

test('what is not understood is said in one line', () => {
  assert.equal(misunderstood(['frobnicate', 'all']), 'There is no command "frobnicate all".')
  assert.equal(misunderstood(['chain']), '"chain" wants another word.')
  assert.equal(misunderstood(['chain', 'stop']), 'There is no command "chain stop".')
  assert.equal(misunderstood(['merchant', 'refuse', 'M1']), 'Something is missing: merchant refuse <mchid> <reason>')
})
