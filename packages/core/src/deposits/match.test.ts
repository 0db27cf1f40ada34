import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressLease, type AmountReservation, matchPaymentByLease, matchPaymentByReservation } from './match.ts'

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
    const list: AddressLease[] = given.map(([tradeNo, since]) => ({ tradeNo, since, fits: false, isPaid: false }))
    assert.equal(matchPaymentByLease(list, blockTime), match)
  })
}

// biome-ignore format: a table
const fitting: [what: string, leases: [tradeNo: string, fits: boolean, isPaid: boolean][], match: string][] = [
  ['neither fits', [['a', false, false], ['b', false, false]], 'b'],
  ['only the former fits', [['a', true, false], ['b', false, false]], 'a'],
  ['both fit', [['a', true, false], ['b', true, false]], 'b'],
  ['both fit, and the present one is paid', [['a', true, false], ['b', true, true]], 'b'],
  ['only the former fits, which is paid', [['a', true, true], ['b', false, false]], 'b'],
  ['the latest of two former ones', [['a', true, false], ['b', true, false], ['c', false, false]], 'b'],
  ['the one before a paid one', [['a', true, false], ['b', true, true], ['c', false, true]], 'a'],
]
for (const [what, given, match] of fitting) {
  test(`leased address, by the request: ${what}`, () => {
    const list = given.map(([tradeNo, fits, isPaid], index) => ({ tradeNo, since: index, fits, isPaid }))
    assert.equal(matchPaymentByLease(list, 500), match)
    const later = { tradeNo: 'later', since: 501, fits: true, isPaid: false }
    assert.equal(matchPaymentByLease([...list, later], 500), match, 'never a lease that has not begun')
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
    const list: AmountReservation[] = given.map(([tradeNo, since, until]) => ({ tradeNo, since, until }))
    assert.equal(matchPaymentByReservation(list, blockTime), match)
  })
}
