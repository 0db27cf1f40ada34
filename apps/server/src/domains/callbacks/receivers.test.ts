import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsMax, Receivers, slowAfterMs } from './receivers.ts'

const at = (n: number) => ({ merchant_id: `m${n}`, host: `h${n}.example` })

test('merchants and hosts have separate limits, and finished attempts free their slots', () => {
  const receivers = new Receivers(() => 0)
  const { all, perMerchant, perHost } = attemptsMax
  const ends = Array.from({ length: perHost }, () => receivers.start(at(1)))
  assert.deepEqual(receivers.free().free, { 'merchant m1': perMerchant - perHost, 'host h1.example': 0 })
  assert.equal(receivers.free().limit, all - perHost)
  for (const end of ends) end(10)
  assert.deepEqual(receivers.free(), { limit: all, free: {}, perKey: perMerchant, perHost })
})

test('a slow host gets one attempt at a time until it is fast again or ten minutes pass', () => {
  let now = 0
  const receivers = new Receivers(() => now)
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
  const receivers = new Receivers(() => 0)
  const hosts = Array.from({ length: attemptsMax.slow + 1 }, (_, i) => at(i))
  for (const host of hosts) receivers.start(host)(slowAfterMs + 1)
  for (const host of hosts.slice(0, attemptsMax.slow)) receivers.start(host)
  const { free, limit } = receivers.free()
  assert.equal(free[`host h${attemptsMax.slow}.example`], 0)
  assert.equal(limit, attemptsMax.all - attemptsMax.slow)
})
