import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { runJobLoop } from './loop.ts'

test('a job without work rests until a hint, and not while work is under way', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const stop = new AbortController()
  let runs = 0
  let hint = () => {}
  let work: 'soon' | false = false
  const onAny = (listen: (hint: never) => void) => {
    hint = () => listen(undefined as never)
    return () => {}
  }
  const done = runJobLoop({
    name: 'resting',
    everyMs: 1_000,
    log: pino({ level: 'silent' }),
    signal: stop.signal,
    live: { onAny },
    work: async () => {
      runs++
      return work
    },
  })
  /** Number of runs in these seconds. */
  const runsIn = async (seconds: number) => {
    const before = runs
    for (let second = 0; second < seconds; second++) {
      await setImmediate()
      t.mock.timers.tick(1_000)
    }
    await setImmediate()
    return runs - before
  }
  assert.equal(await runsIn(30), 30, 'at its own pace at first')
  await runsIn(10)
  assert.equal(await runsIn(50), 5, 'at rest')
  hint()
  assert.equal(await runsIn(0), 1, 'woken by the hint')
  assert.equal(await runsIn(20), 20, 'at its own pace again')
  work = 'soon'
  assert.equal(await runsIn(60), 60, 'as long as work is under way')
  stop.abort()
  await done
})
