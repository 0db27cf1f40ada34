import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServicePlaces } from './services.ts'

const away = { result: 'later', error: '', isAway: true } as const
const at = (now = 0) => {
  const clock = { now }
  const places = new ServicePlaces(() => clock.now, { mail: 4, text: 2 })
  const start = (service: string, merchant_id: string) => places.start({ service, merchant_id })
  return { clock, places, start }
}

test('a service has its places, a merchant half of them, and neither takes those of another', () => {
  const { places, start } = at()
  const done = ['a', 'a', 'b'].map(merchant => start('mail', merchant))
  assert.deepEqual(places.free().free, { mail: 1, 'mail of a': 0, 'mail of b': 1 })
  assert.deepEqual(
    [places.free().places, places.free().shares],
    [
      { mail: 4, text: 2 },
      { mail: 2, text: 1 },
    ],
  )
  for (const end of done) end({ result: 'accepted' })
  assert.deepEqual(places.free().free, {})
})

test('a service that is away gets nothing, then one attempt at a time, and after a success all', () => {
  const { clock, places, start } = at()
  const free = () => places.free().free.mail
  const together = [start('mail', 'a'), start('mail', 'b')]
  for (const end of together) end(away)
  assert.equal(free(), 0)
  clock.now = 29
  assert.equal(free(), 0)
  clock.now = 30
  assert.equal(free(), 1)
  const probe = start('mail', 'a')
  assert.equal(free(), 0, 'one probe')
  probe(away)
  clock.now = 89
  assert.equal(free(), 0, 'twice as long')
  clock.now = 90
  start('mail', 'a')({ result: 'accepted' })
  assert.equal(free(), undefined)
})

test('a service says itself when it wants the next attempt', () => {
  const { clock, places, start } = at()
  start('mail', 'a')({ ...away, retryAfter: 500 })
  clock.now = 499
  assert.equal(places.free().free.mail, 0)
  clock.now = 500
  assert.equal(places.free().free.mail, 1)
})

test('a service of which nothing is heard any more is forgotten', () => {
  const { clock, places, start } = at()
  start('push gone.example', 'a')(away)
  clock.now = 30 + 3_600
  assert.equal(places.free().free['push gone.example'], 1)
  clock.now++
  assert.equal(places.free().free['push gone.example'], undefined)
})

test('what nobody wants any more, or waits, says nothing of a service that is away', () => {
  const { clock, places, start } = at()
  start('mail', 'a')(away)
  for (const outcome of [{ result: 'unwanted' }, { result: 'postponed', until: 99 }] as const) {
    clock.now += 30
    start('mail', 'a')(outcome)
    assert.equal(places.free().free.mail, 1, `${outcome.result}: still one at a time`)
  }
  start('mail', 'a')(away)
  clock.now += 59
  assert.equal(places.free().free.mail, 0, 'the second failure in a row')
})
