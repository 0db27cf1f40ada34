import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gate } from './gate.ts'

const patient = { max: 2, waitMs: 60_000, waitingMax: 2 }

test('a key at its limit waits in order of arrival, and no other key waits for it', async () => {
  const gate = new Gate(patient)
  const order: string[] = []
  const [first, second] = [await gate.enter('a'), await gate.enter('a')]
  const enter = async (name: string) => {
    const leave = await gate.enter('a')
    order.push(name)
    return leave
  }
  const third = enter('third')
  const fourth = enter('fourth')
  ;(await gate.enter('b'))()
  assert.deepEqual(order, [])
  first()
  const leaveThird = await third
  assert.deepEqual(order, ['third'])
  second()
  leaveThird()
  ;(await fourth)()
  assert.deepEqual(order, ['third', 'fourth'])
  const again = await Promise.all([gate.enter('a'), gate.enter('a')])
  for (const leave of again) leave()
})

test('refuses as busy who waits too long, and who finds too many waiting', async () => {
  const gate = new Gate({ max: 1, waitMs: 5, waitingMax: 1 })
  const leave = await gate.enter('a')
  const late = gate.enter('a')
  await assert.rejects(gate.enter('a'), { reason: 'busy' })
  await assert.rejects(late, { reason: 'busy' })
  leave()
  ;(await gate.enter('a'))()
})

test('while a crowd waits one of a key runs at a time, and afterwards as many as before', async () => {
  const gate = new Gate({ max: 2, waitMs: 60_000, waitingMax: 10, crowd: 2 })
  const running: (() => void)[] = []
  const ended = Promise.all(Array.from({ length: 6 }, async () => running.push(await gate.enter('a'))))
  const settled = () => new Promise(resolve => setImmediate(resolve))
  await settled()
  const counts = [running.length]
  for (let left = 6; left > 0; left--) {
    running.shift()!()
    await settled()
    counts.push(running.length)
  }
  await ended
  assert.deepEqual(counts, [2, 1, 1, 2, 2, 1, 0])
})
