import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { testDatabase } from '../testing/deps.ts'
import { makeDatabaseClock } from './clock.ts'
import { registry } from './metrics.ts'

const day = 86_400
const skews = async () => Number(/^coffer_clock_skews_total (\d+)/m.exec(await registry.metrics())?.[1] ?? Number.NaN)

test('a wall clock jump leaves the time unchanged, logs a warning and increments the metric', async t => {
  const { pool } = await testDatabase(t)
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: line => void logged.push(line) })
  const wall = Date.now
  let jump = 0
  t.mock.method(Date, 'now', () => wall() + jump * 1000)
  const near = (time: number) => assert.ok(Math.abs(time - wall() / 1000) < 5, `${time}`)
  const clock = makeDatabaseClock(log)
  const before = await skews()
  await clock.read(pool)
  near(clock.now())
  assert.deepEqual([logged, (await skews()) - before], [[], 0])
  for (const [index, by] of [-day, day].entries()) {
    jump = by
    near(clock.now())
    await clock.read(pool)
    near(clock.now())
    assert.equal(JSON.parse(logged.at(-1)!).skewSeconds, jump)
    assert.deepEqual([logged.length, (await skews()) - before], [index + 1, index + 1])
  }
})

test('a server started with a wrong wall clock uses the database time', async t => {
  const { pool } = await testDatabase(t)
  const wall = Date.now
  t.mock.method(Date, 'now', () => wall() - day * 1000)
  const clock = makeDatabaseClock(pino({ level: 'silent' }))
  await clock.read(pool)
  assert.ok(Math.abs(clock.now() - wall() / 1000) < 5)
})
