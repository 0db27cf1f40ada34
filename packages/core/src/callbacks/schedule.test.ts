import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt, type CallbackState } from './schedule.ts'

const fresh: CallbackState = { status: 1, tries: 0, manual: false, test: false }

test('a callback that is never confirmed is tried twelve times over about three days, then given up', () => {
  const start = 1_800_000_000
  let state = fresh
  let now = start
  const waits: number[] = []
  for (;;) {
    const after = afterAttempt(state, false, now, 0.5)
    state = { ...state, status: after.status, tries: after.tries }
    if (after.nextAt === null) {
      assert.deepEqual(after, { status: 4, tries: 12, nextAt: null, gaveUp: true })
      break
    }
    assert.equal(after.status, 3)
    waits.push(after.nextAt - now)
    now = after.nextAt
  }
  assert.deepEqual(waits, [10, 30, 60, 300, 900, 3600, 10800, 21600, 43200, 86400, 86400])
  assert.equal(Math.round((now - start) / 86_400), 3)
})

test('retries are spread by a tenth to either side', () => {
  const waits = [0, 0.999].map(random => afterAttempt({ ...fresh, tries: 4, status: 3 }, false, 0, random).nextAt)
  assert.deepEqual(waits, [810, 990])
})

test('an answer ends it', () => {
  assert.deepEqual(afterAttempt({ ...fresh, status: 3, tries: 5 }, true, 0, 0), {
    status: 2,
    tries: 6,
    nextAt: null,
    gaveUp: false,
  })
})

test('an attempt asked for by a person', () => {
  const manual = { ...fresh, manual: true }
  const table: [string, CallbackState, boolean, { status: number; tries: number; again: boolean }][] = [
    ['given up, succeeds', { ...manual, status: 4, tries: 12 }, true, { status: 2, tries: 12, again: false }],
    [
      'given up, fails: stays given up, and nobody is told twice',
      { ...manual, status: 4, tries: 12 },
      false,
      { status: 4, tries: 12, again: false },
    ],
    [
      'confirmed, fails: stays confirmed',
      { ...manual, status: 2, tries: 1 },
      false,
      { status: 2, tries: 1, again: false },
    ],
    ['waiting, fails: uses up no try', { ...manual, status: 3, tries: 5 }, false, { status: 3, tries: 5, again: true }],
    ['new, fails', { ...manual, status: 1, tries: 0 }, false, { status: 3, tries: 0, again: true }],
  ]
  for (const [what, before, ok, { again, ...expected }] of table) {
    const { nextAt, gaveUp, ...rest } = afterAttempt(before, ok, 0, 0.5)
    assert.deepEqual({ rest, again: nextAt !== null, gaveUp }, { rest: expected, again, gaveUp: false }, what)
  }
})

test('a test is tried once, and nobody is told', () => {
  assert.deepEqual(afterAttempt({ ...fresh, test: true }, false, 0, 0), {
    status: 4,
    tries: 1,
    nextAt: null,
    gaveUp: false,
  })
})
