import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressLookAhead, computeLookAhead } from './address-look-ahead.ts'

// biome-ignore format: a table
const sizes: [perSecond: number, delay: number, size: number][] = [
  [0, 0, 200], [1, 1, 200], [55, 0.1, 200], [55, 1.5, 660], [55, 7.5, 3_300], [10, 7.5, 600], [1_000, 60, 20_000],
]
for (const [perSecond, delay, size] of sizes) {
  test(`looks ${size} addresses ahead at ${perSecond} orders per second and a delay of ${delay} s`, () => {
    assert.equal(computeLookAhead(perSecond, delay), size)
  })
}

test('grows with the addresses given out between refreshes, and shrinks slowly', () => {
  const sizing = new AddressLookAhead()
  assert.equal(sizing.next(1_000_000, 100), 200, 'addresses of earlier days do not count')
  assert.equal(sizing.next(1_000_413, 107.5), 3_304)
  assert.equal(sizing.next(1_000_413, 108), 3_271)
  let size = 0
  for (let second = 109; second < 130; second++) size = sizing.next(1_000_413, second)
  assert.ok(size > 2_400, `${size}: the next block is not read in vain`)
  for (let second = 130; second < 1_000; second++) size = sizing.next(1_000_413, second)
  assert.equal(size, 200)
})

test('growth without measurable time does not count', () => {
  const sizing = new AddressLookAhead()
  sizing.next(0, 1)
  assert.equal(sizing.next(5_000, 1), 200)
})
