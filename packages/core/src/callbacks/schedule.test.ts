import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advanceCallback, type CallbackState, type ScheduledCallback, withholdCallback } from './schedule.ts'

const fresh: ScheduledCallback = { state: 'pending', tries: 0, manual: false, test: false }

test('an unconfirmed callback is attempted twelve times over about three days, then given up', () => {
  const start = 1_800_000_000
  let callback = fresh
  let now = start
  const waits: number[] = []
  for (;;) {
    const after = advanceCallback(callback, false, now, 0.5)
    callback = { ...callback, state: after.state, tries: after.tries }
    if (after.nextAt === null) {
      assert.deepEqual(after, { state: 'given_up', tries: 12, nextAt: null, gaveUp: true })
      break
    }
    assert.equal(after.state, 'retrying')
    waits.push(after.nextAt - now)
    now = after.nextAt
  }
  assert.deepEqual(waits, [10, 30, 60, 300, 900, 3600, 10800, 21600, 43200, 86400, 86400])
  assert.equal(Math.round((now - start) / 86_400), 3)
})

test('retry delays have a jitter of ten percent', () => {
  const waits = [0, 0.999].map(
    random => advanceCallback({ ...fresh, tries: 4, state: 'retrying' }, false, 0, random).nextAt,
  )
  assert.deepEqual(waits, [810, 990])
})

test('a successful attempt ends the schedule', () => {
  assert.deepEqual(advanceCallback({ ...fresh, state: 'retrying', tries: 5 }, true, 0, 0), {
    state: 'delivered',
    tries: 6,
    nextAt: null,
    gaveUp: false,
  })
})

test('manual attempts do not affect the schedule', () => {
  const table: [
    string,
    CallbackState,
    tries: number,
    ok: boolean,
    CallbackState,
    triesAfter: number,
    again: boolean,
  ][] = [
    ['given up, succeeds', 'given_up', 12, true, 'delivered', 12, false],
    ['given up, fails: stays given up without a second notification', 'given_up', 12, false, 'given_up', 12, false],
    ['delivered, fails: stays delivered', 'delivered', 1, false, 'delivered', 1, false],
    ['retrying, fails: uses up no scheduled attempt', 'retrying', 5, false, 'retrying', 5, true],
    ['new, fails', 'pending', 0, false, 'retrying', 0, true],
  ]
  for (const [what, before, tries, ok, state, triesAfter, again] of table) {
    const { nextAt, ...rest } = advanceCallback({ state: before, tries, manual: true, test: false }, ok, 0, 0.5)
    assert.deepEqual({ ...rest, again: nextAt !== null }, { state, tries: triesAfter, again, gaveUp: false }, what)
  }
})

test('a test callback is attempted once, without a notification', () => {
  assert.deepEqual(advanceCallback({ ...fresh, test: true }, false, 0, 0), {
    state: 'given_up',
    tries: 1,
    nextAt: null,
    gaveUp: false,
  })
})

test('a withheld callback counts no attempt, and is looked at hourly for three days, or each minute until its payment is decided', () => {
  const createdAt = 1_800_000_000
  const day = 86_400
  const retrying: ScheduledCallback = { ...fresh, state: 'retrying', tries: 2 }
  const table: [
    string,
    ScheduledCallback,
    age: number,
    isOpen: boolean,
    CallbackState,
    tries: number,
    wait: number | null,
  ][] = [
    ['before its first attempt', fresh, 0, false, 'withheld', 0, 3_600],
    ['after attempts that failed', retrying, 60, false, 'withheld', 2, 3_600],
    ['in the last hour', { ...fresh, state: 'withheld' }, 3 * day - 3_599, false, 'withheld', 0, null],
    ['while a refund is undecided', fresh, 30 * day, true, 'withheld', 0, 60],
    ['sent again by hand', { ...fresh, state: 'delivered', manual: true }, 0, false, 'delivered', 0, null],
    [
      'given up and sent again by hand',
      { ...fresh, state: 'given_up', tries: 12, manual: true },
      0,
      true,
      'given_up',
      12,
      null,
    ],
  ]
  for (const [what, before, age, isOpen, state, tries, wait] of table) {
    const now = createdAt + age
    const nextAt = wait === null ? null : now + wait
    assert.deepEqual(withholdCallback(before, { now, createdAt, isOpen }), { state, tries, nextAt }, what)
  }
})
