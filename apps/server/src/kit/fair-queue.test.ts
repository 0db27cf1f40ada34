import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import { makeFairQueue } from './fair-queue.ts'

/** A queue whose tasks end one by one, and the order in which they ran. */
function make(limits: Parameters<typeof makeFairQueue>[0]) {
  const queue = makeFairQueue(limits)
  const ran: string[] = []
  const ends: (() => void)[] = []
  const ask = (key: string) =>
    queue(key, async () => {
      ran.push(key)
      await new Promise<void>(resolve => ends.push(resolve))
    })
  const finish = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await settle()
    }
  }
  return { queue, ran, ask, finish }
}
const busy = { reason: 'busy' }

test('keys take turns, and within a key the first comes first', async () => {
  const { ran, ask, finish } = make({ running: 1, perKey: 10, waiting: 10 })
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(ask)
  await finish()
  await Promise.all(all)
  assert.deepEqual(ran, ['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

test('one key cannot take all places', async () => {
  const { ask, finish } = make({ running: 1, perKey: 2, waiting: 10 })
  const all = ['a', 'a', 'a'].map(ask)
  await assert.rejects(ask('a'), busy)
  const other = ask('b')
  await finish()
  await Promise.all([...all, other])
})

test('when all places are taken, the longest queue gives one up to a shorter one', async () => {
  const { ran, ask, finish } = make({ running: 1, perKey: 10, waiting: 4 })
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
  const { queue } = make({ running: 1, perKey: 1, waiting: 1 })
  const broken = queue('a', async () => Promise.reject(new Error('broken')))
  const after = queue('b', async () => 'done')
  await assert.rejects(broken, /broken/)
  assert.equal(await after, 'done')
})
