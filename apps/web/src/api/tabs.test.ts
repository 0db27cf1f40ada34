import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@coffer/local/testing/until.ts'
import { shareStream } from './tabs.ts'

/** A server whose streams stay open, and tabs of one browser. */
function browser(name: string) {
  const streams: { send(text: string): void; since: number; open: boolean }[] = []
  const open = async (signal: AbortSignal, since: number) => {
    const stream = { send: (_: string) => {}, since, open: true }
    streams.push(stream)
    return new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          stream.send = text => controller.enqueue(new TextEncoder().encode(text))
          signal.addEventListener('abort', () => {
            stream.open = false
            controller.error(new Error('left'))
          })
        },
      }),
    )
  }
  const tab = (locks: LockManager | undefined = navigator.locks, from = Date.now()) => {
    const seen = { events: [] as string[], missed: 0, live: [] as boolean[] }
    const stream = shareStream(
      name,
      { at: from, margin: 0 },
      {
        locks,
        open,
        onEvent: ({ data }) => seen.events.push(data),
        onMissed: () => {
          seen.missed++
        },
        onLive: live => seen.live.push(live),
        random: () => 1,
      },
    )
    return { ...stream, seen }
  }
  return { tab, streams, now: () => streams.filter(each => each.open) }
}

const event = (data: string) => `data: ${data}\n\n`

test('eight tabs have one stream, and each sees each event', async () => {
  const { tab, streams, now } = browser('eight')
  const tabs = Array.from({ length: 8 }, () => tab())
  await until('a tab leads', () => now().length > 0)
  streams[0]?.send(event('paid'))
  await until('all have seen it', () => tabs.every(({ seen }) => seen.events.includes('paid')))
  assert.equal(streams.length, 1)
  for (const each of tabs) each.stop()
  await until('nothing is open', () => now().length === 0)
})

test('when the leader leaves the next tab takes over, and has what came in between repeated', async () => {
  const { tab, streams, now } = browser('takeover')
  const first = tab()
  await until('the first leads', () => now().length === 1)
  const second = tab()
  const third = tab()
  streams[0]?.send(event('before'))
  await until('it is heard', () => [second, third].every(({ seen }) => seen.events.includes('before')))
  first.stop()
  await until('the second leads', () => now().length === 1 && streams.length === 2)
  assert.ok((streams[1]?.since ?? 0) >= 2_000, 'what the first may not have passed on is repeated')
  assert.ok((streams[1]?.since ?? 0) < 60_000, 'not everything is')
  streams[1]?.send(event('after'))
  await until('it is heard', () => [second, third].every(({ seen }) => seen.events.includes('after')))
  assert.ok(!first.seen.events.includes('after'))
  for (const each of [second, third]) each.stop()
})

test('a tab that was opened or hidden meanwhile is told what it has missed', async () => {
  const { tab, streams } = browser('joins')
  const began = Date.now()
  const first = tab()
  await until('it leads', () => streams.length === 1)
  streams[0]?.send(event('one'))
  await until('it is heard', () => first.seen.events.length === 1)
  const joined = tab(navigator.locks, began)
  await until('it is told', () => joined.seen.events.length === 1)
  assert.deepEqual(joined.seen, { events: ['one'], missed: 0, live: [true] })
  // What came before the leader's time nobody remembers.
  const older = tab(navigator.locks, began - 3_600_000)
  await until('it reads everything again', () => older.seen.missed === 1)
  assert.deepEqual(first.seen.events, ['one'])
  for (const each of [first, joined, older]) each.stop()
})

test('sessions never share a stream', async () => {
  const one = browser('session one')
  const other = browser('session other')
  const mine = one.tab()
  const theirs = other.tab()
  await until('both lead', () => one.streams.length === 1 && other.streams.length === 1)
  one.streams[0]?.send(event('mine'))
  await until('it is heard', () => mine.seen.events.length === 1)
  other.streams[0]?.send(event('theirs'))
  await until('it is heard', () => theirs.seen.events.length === 1)
  assert.deepEqual([mine.seen.events, theirs.seen.events], [['mine'], ['theirs']])
  for (const each of [mine, theirs]) each.stop()
})

test('without locks each tab has its own stream', async () => {
  const { tab, streams } = browser('plain')
  const tabs = [tab(null as never), tab(null as never)]
  await until('both are open', () => streams.length === 2)
  streams[1]?.send(event('x'))
  await until('it is heard', () => tabs[1]?.seen.events.length === 1)
  assert.deepEqual(tabs[0]?.seen.events, [])
  for (const each of tabs) each.stop()
})
