import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import fc from 'fast-check'
import { Gate } from './gate.ts'

const patient = { max: 2, waitMs: 60_000, waitingMax: 2 }

test('a key at its limit waits in order of arrival, and no other key waits for it', async () => {
  const gate = new Gate(patient)
  const order: string[] = []
  const first = await gate.enter('a')
  const second = await gate.enter('a')
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

/** A queue whose tasks end one by one, and the order in which they ran. */
function make(limits: ConstructorParameters<typeof Gate>[0]) {
  const gate = new Gate(limits)
  const ran: string[] = []
  const ends: (() => void)[] = []
  const ask = (key: string) =>
    gate.run(key, async () => {
      ran.push(key)
      await new Promise<void>(resolve => ends.push(resolve))
    })
  const finish = async () => {
    await settle()
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await settle()
    }
  }
  return { gate, ran, ask, finish }
}
const busy = { reason: 'busy' }

test('keys take turns, and within a key the first comes first', async () => {
  const { ran, ask, finish } = make({ all: 1, waitingMax: 10 })
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(ask)
  await finish()
  await Promise.all(all)
  assert.deepEqual(ran, ['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('one key cannot take all places', async () => {
  const { ask, finish } = make({ all: 1, waitingMax: 2 })
  const all = ['a', 'a', 'a'].map(ask)
  await assert.rejects(ask('a'), busy)
  const other = ask('b')
  await finish()
  await Promise.all([...all, other])
})

test('when all places are taken, the longest queue gives one up to a shorter one', async () => {
  const { ran, ask, finish } = make({ all: 1, waitingMax: 10, allWaiting: 4 })
  const first = ask('a')
  const queued = ['a', 'a', 'a', 'b'].map(ask)
  const lost = [assert.rejects(queued[1]!, busy), assert.rejects(queued[2]!, busy)]
  const late = [ask('c'), ask('d')]
  await Promise.all(lost)
  await assert.rejects(ask('a'), busy)
  await assert.rejects(ask('e'), busy, 'all queues are short')
  await finish()
  await Promise.all([first, queued[0], queued[3], ...late])
  assert.deepEqual(ran, ['a', 'a', 'b', 'c', 'd'])
})

test('a failing task passes its place on', async () => {
  const { gate } = make({ all: 1, waitingMax: 1 })
  const broken = gate.run('a', async () => Promise.reject(new Error('broken')))
  const after = gate.run('b', async () => 'done')
  await assert.rejects(broken, /broken/)
  assert.equal(await after, 'done')
})

test('one key takes no more than its share of all places, and leaves the next to others', async () => {
  const { ran, ask, finish } = make({ max: 2, all: 3, waitingMax: 10 })
  const crowd = ['a', 'a', 'a', 'a', 'a'].map(ask)
  await settle()
  assert.deepEqual(ran, ['a', 'a'])
  const others = ['b', 'b', 'c'].map(ask)
  await settle()
  assert.deepEqual(ran, ['a', 'a', 'b'])
  await finish()
  await Promise.all([...crowd, ...others])
  assert.deepEqual(ran.slice(3).sort(), ['a', 'a', 'a', 'b', 'c'])
})

test('never runs more than its limits, starts whoever can, and ends empty, in any order of arrivals and ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ max: fc.integer({ min: 1, max: 3 }), all: fc.integer({ min: 1, max: 4 }) }),
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 40 }),
      async (limits, steps) => {
        const gate = new Gate({ ...limits, waitingMax: 50 })
        const running: Record<string, number> = { a: 0, b: 0, c: 0 }
        const ends: (() => void)[] = []
        const total = () => Object.values(running).reduce((a, b) => a + b)
        let left = steps.length
        const task = (key: string) => async () => {
          running[key]!++
          assert.ok(running[key]! <= limits.max && total() <= limits.all)
          await new Promise<void>(resolve => ends.push(resolve))
          running[key]!--
          left--
        }
        const all: Promise<void>[] = []
        for (const [key, ended] of steps) {
          all.push(gate.run(key, task(key)))
          for (let n = 0; n < ended; n++) ends.shift()?.()
          await settle()
        }
        for (let idle = 0; left > 0; idle++) {
          assert.ok(ends.length > 0 && idle < 1_000, 'somebody runs while somebody waits')
          ends.shift()!()
          await settle()
        }
        await Promise.all(all)
      },
    ),
    { numRuns: 60 },
  )
})
