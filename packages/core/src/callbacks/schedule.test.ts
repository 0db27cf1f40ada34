import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt, type Callback, type CallbackState } from './schedule.ts'

const fresh: Callback = { state: 'pending', tries: 0, manual: false, test: false }

test('an unconfirmed callback is attempted twelve times over about three days, then given up', () => {
  const start = 1_800_000_000
  let callback = fresh
  let now = start
  const waits: number[] = []
  for (;;) {
    const after = afterAttempt(callback, false, now, 0.5)
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
    random => afterAttempt({ ...fresh, tries: 4, state: 'retrying' }, false, 0, random).nextAt,
  )
  assert.deepEqual(waits, [810, 990])
})

test('a successful attempt ends the schedule', () => {
  assert.deepEqual(afterAttempt({ ...fresh, state: 'retrying', tries: 5 }, true, 0, 0), {
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
    const { nextAt, ...rest } = afterAttempt({ state: before, tries, manual: true, test: false }, ok, 0, 0.5)
    assert.deepEqual({ ...rest, again: nextAt !== null }, { state, tries: triesAfter, again, gaveUp: false }, what)
  }
})

test('a test callback is attempted once, without a notification', () => {
  assert.deepEqual(afterAttempt({ ...fresh, test: true }, false, 0, 0), {
    state: 'given_up',
    tries: 1,
    nextAt: null,
    gaveUp: false,
  })
})
