import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { reloadOnRecovery } from './recover.ts'

function world(t: TestContext, answers: boolean[], lastReload = 0) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const seen = { reloads: 0, probes: 0, last: lastReload, now: 1_000_000 }
  const stop = reloadOnRecovery({
    probe: async () => answers[seen.probes++] ?? true,
    reload: () => {
      seen.reloads += 1
    },
    now: () => seen.now,
    last: {
      get: () => seen.last,
      set: time => {
        seen.last = time
      },
    },
  })
  const pass = async (milliseconds: number) => {
    await Promise.resolve()
    await Promise.resolve()
    t.mock.timers.tick(milliseconds)
    await Promise.resolve()
    await Promise.resolve()
  }
  return { seen, stop, pass }
}

test('a page that failed while the server was away is loaded again once it is back', async t => {
  const { seen, pass } = world(t, [false, false, true], 999_999)
  await pass(3_000)
  assert.equal(seen.reloads, 0)
  await pass(3_000)
  assert.deepEqual([seen.reloads, seen.last], [1, 1_000_000])
})

test('a page that is broken although the server answers is loaded again once, not for ever', async t => {
  const first = world(t, [true])
  await first.pass(0)
  assert.equal(first.seen.reloads, 1)
})

test('within a minute of such a reload nothing is loaded again', async t => {
  const { seen, pass, stop } = world(t, [], 999_000)
  await pass(3_000)
  await pass(3_000)
  assert.equal(seen.reloads, 0)
  stop()
})
