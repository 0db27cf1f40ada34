import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepStream } from './stream.ts'

const settle = async () => {
  for (let turn = 0; turn < 40; turn++) await Promise.resolve()
  await new Promise(resolve => setImmediate(resolve))
}

const answer = (...chunks: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    }),
  )

test('a lost stream is reopened with exponential backoff and polling in between', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const answers = [answer('event: payment\ndata: 1\n\n'), null, null, answer('data: 2\n\n')]
  const events: string[] = []
  let opened = 0
  let missed = 0
  const stream = keepStream({
    open: async () => {
      const next = answers[opened++]
      if (!next) throw new TypeError('no connection')
      return next
    },
    onEvent: event => events.push(event.data),
    onMissed: () => {
      missed += 1
    },
    onLive: () => {},
    random: () => 1,
  })
  await settle()
  assert.deepEqual([opened, events, missed], [1, ['1'], 0])
  for (const [waitMs, opens] of [
    [1_000, 2],
    [2_000, 3],
    [4_000, 4],
  ] as const) {
    t.mock.timers.tick(waitMs - 1)
    await settle()
    assert.equal(opened, opens - 1)
    t.mock.timers.tick(1)
    await settle()
    assert.equal(opened, opens)
  }
  assert.deepEqual(events, ['1', '2'])
  assert.equal(missed, 1, 'a reopened stream reports missed events')
  stream.stop()
  t.mock.timers.tick(120_000)
  await settle()
  assert.equal(opened, 4)
})

test('polls every 20 s without a stream', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  let missed = 0
  const stream = keepStream({
    open: () => Promise.reject(new TypeError('no connection')),
    onEvent: () => {},
    onMissed: () => {
      missed += 1
    },
    onLive: () => {},
    random: () => 1,
  })
  await settle()
  t.mock.timers.tick(40_000)
  await settle()
  stream.stop()
  assert.equal(missed, 2)
})

test('tells when live updates have stopped, not when a stream is only opened anew', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const answers = [answer(''), answer(''), null, answer('')]
  const told: boolean[] = []
  const stream = keepStream({
    open: async () => {
      const next = answers.shift()
      if (!next) throw new TypeError('no connection')
      return next
    },
    onEvent: () => {},
    onMissed: () => {},
    onLive: live => told.push(live),
    random: () => 1,
  })
  for (let turn = 0; turn < 4; turn++) {
    await settle()
    t.mock.timers.tick(4_000)
  }
  await settle()
  stream.stop()
  assert.deepEqual(told.slice(0, 4), [true, true, false, true])
})

test('a stream that is stopped while it opens does not report a connection', async () => {
  const opening = Promise.withResolvers<Response>()
  const reports: unknown[] = []
  const report = (what: unknown) => void reports.push(what)
  const stream = keepStream({
    open: () => opening.promise,
    onEvent: report,
    onHeard: () => report('heard'),
    onMissed: () => report('missed'),
    onLive: report,
    random: () => 1,
  })
  stream.stop()
  opening.resolve(answer('data: 1\n\n'))
  await settle()
  assert.deepEqual(reports, [])
})
