import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concurrentAttemptsMax, DeliveryLimiter, slowAfterMs } from './receivers.ts'

const at = (n: number) => ({ merchant_id: `m${n}`, host: `h${n}.example` })

test('merchants and hosts have separate limits, and finished attempts free their slots', () => {
  const receivers = new DeliveryLimiter(() => 0)
  const { all, perMerchant, perHost } = concurrentAttemptsMax
  const ends = Array.from({ length: perHost }, () => receivers.start(at(1)))
  assert.deepEqual(receivers.free().free, { 'merchant m1': perMerchant - perHost, 'host h1.example': 0 })
  assert.equal(receivers.free().limit, all - perHost)
  for (const end of ends) end(10)
  assert.deepEqual(receivers.free(), { limit: all, free: {}, perKey: perMerchant, perHost })
})

test('a slow host gets one attempt at a time until it is fast again or ten minutes pass', () => {
  let now = 0
  const receivers = new DeliveryLimiter(() => now)
  const room = () => receivers.free().free['host h1.example']
  receivers.start(at(1))(slowAfterMs + 1)
  assert.equal(room(), 1)
  const end = receivers.start(at(1))
  assert.equal(room(), 0)
  end(5)
  assert.equal(room(), undefined)
  receivers.start(at(1))(slowAfterMs + 1)
  now = 600
  assert.equal(room(), undefined)
})

test('slow hosts share a quota, which leaves the rest to fast hosts', () => {
  const receivers = new DeliveryLimiter(() => 0)
  const hosts = Array.from({ length: concurrentAttemptsMax.slow + 1 }, (_, i) => at(i))
  for (const host of hosts) receivers.start(host)(slowAfterMs + 1)
  for (const host of hosts.slice(0, concurrentAttemptsMax.slow)) receivers.start(host)
  const { free, limit } = receivers.free()
  assert.equal(free[`host h${concurrentAttemptsMax.slow}.example`], 0)
  assert.equal(limit, concurrentAttemptsMax.all - concurrentAttemptsMax.slow)
})
