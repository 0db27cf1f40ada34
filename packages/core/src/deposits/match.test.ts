import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Lease, paymentAtFixed, paymentAtLeased, type Reservation } from './match.ts'

// biome-ignore format: a table
const leases: [what: string, leases: [tradeNo: string, since: number][], blockTime: number, match: string | null][] = [
  ['never leased', [], 500, null],
  ['leased once', [['a', 100]], 500, 'a'],
  ['in the second the lease begins', [['a', 100], ['b', 500]], 500, 'b'],
  ['a second before the next lease', [['a', 100], ['b', 500]], 499, 'a'],
  ['long after the last lease began', [['a', 100], ['b', 500]], 9_000, 'b'],
  ['before the first lease', [['b', 500], ['a', 100]], 99, 'a'],
  ['leases in any order', [['c', 900], ['a', 100], ['b', 500]], 600, 'b'],
]
for (const [what, given, blockTime, match] of leases) {
  test(`leased address: ${what}`, () => {
    const list: Lease[] = given.map(([tradeNo, since]) => ({ tradeNo, since }))
    assert.equal(paymentAtLeased(list, blockTime), match)
  })
}

type Row = [
  what: string,
  given: [tradeNo: string, since: number, until: number][],
  blockTime: number,
  match: string | null,
]
// biome-ignore format: a table
const reservations: Row[] = [
  ['no reservation', [], 500, null],
  ['reserved', [['a', 100, 900]], 500, 'a'],
  ['in the last second', [['a', 100, 900]], 900, 'a'],
  ['after the last second', [['a', 100, 900]], 901, null],
  ['within a minute before it begins', [['a', 100, 900]], 40, 'a'],
  ['more than a minute before it begins', [['a', 100, 900]], 39, null],
  ['in the second one reservation ends and the next begins', [['a', 100, 500], ['b', 500, 900]], 500, 'b'],
  ['a begun reservation is preferred to a future one', [['b', 520, 900], ['a', 100, 500]], 500, 'a'],
  ['the later of two future reservations', [['a', 510, 900], ['b', 520, 900]], 500, 'b'],
  ['between two reservations', [['a', 100, 200], ['b', 800, 900]], 500, null],
]
for (const [what, given, blockTime, match] of reservations) {
  test(`fixed address: ${what}`, () => {
    const list: Reservation[] = given.map(([tradeNo, since, until]) => ({ tradeNo, since, until }))
    assert.equal(paymentAtFixed(list, blockTime), match)
  })
}
