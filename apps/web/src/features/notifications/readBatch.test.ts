import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadMarkBatch } from './readBatch.ts'

const settle = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

test('marks apply immediately and are sent together 2 s after the first', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: unknown[] = []
  const batch = createReadMarkBatch(async ids => sent.push(ids))
  batch.mark('a')
  assert.deepEqual([...batch.state.get().ids], ['a'])
  t.mock.timers.tick(1_500)
  batch.mark('b')
  batch.mark('a')
  t.mock.timers.tick(499)
  assert.deepEqual(sent, [])
  t.mock.timers.tick(1)
  await settle()
  assert.deepEqual(sent, [['a', 'b']])
  assert.equal(batch.state.get().ids.size, 0)
})

test('Read all sends -1 immediately and replaces pending marks', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: unknown[] = []
  const batch = createReadMarkBatch(async ids => sent.push(ids))
  batch.mark('a')
  batch.markAll()
  assert.equal(batch.state.get().all, true)
  t.mock.timers.tick(5_000)
  await settle()
  assert.deepEqual(sent, [[-1]])
  assert.equal(batch.state.get().all, false)
})

test('a failure reverts only its own marks', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answers: ((error: Error) => void)[] = []
  const batch = createReadMarkBatch(() => new Promise((_resolve, reject) => answers.push(reject)))
  batch.mark('a')
  t.mock.timers.tick(2_000)
  batch.mark('b')
  answers[0]?.(new Error('no'))
  await settle()
  assert.deepEqual([...batch.state.get().ids], ['b'])
  batch.markAll()
  answers[1]?.(new Error('no'))
  await settle()
  assert.deepEqual(batch.state.get(), { ids: new Set(), all: false })
})
