import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runOnce } from './once.ts'

test('a work under way is not done twice, and its answer is not lost', async () => {
  const underWay = new Set<string>()
  const told: string[] = []
  const click = (name: string) => runOnce(underWay, name, () => Promise.resolve().then(() => told.push(name)))
  await Promise.all([click('a'), click('a'), click('b')])
  assert.deepEqual(told, ['a', 'b'])
  await click('a')
  assert.deepEqual(told, ['a', 'b', 'a'])
})

test('a work that failed can be done again', async () => {
  const underWay = new Set<string>()
  const failed = () => Promise.reject(new Error('no connection'))
  await assert.rejects(runOnce(underWay, 'a', failed), /no connection/)
  await assert.rejects(runOnce(underWay, 'a', failed), /no connection/)
})
