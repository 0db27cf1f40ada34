import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainReadProgress, hasTimedOut, lastFullyReadSecondOf, type PaymentExpiryInput } from './expiry.ts'

const chain: ChainReadProgress = {
  enabled: true,
  halted: false,
  sandbox: false,
  lastTime: 2_000,
  native: false,
  comparedTime: 0,
  readAt: 2_010,
  atTip: true,
}
const day = 86_400

const readings: [what: string, chain: Partial<ChainReadProgress>, now: number, through: number][] = [
  ['a live chain: up to the second before its last block', {}, 2_010, 1_999],
  ['native coin: up to the last comparison of balances', { native: true, comparedTime: 1_500 }, 2_010, 1_499],
  ['native coin compared further than the chain is verified', { native: true, comparedTime: 2_500 }, 2_010, 1_999],
  ['native coin of a sandbox chain', { native: true, sandbox: true }, 3_000, 2_010],
  ['a live chain at its tip: no further', { atTip: true, readAt: 9_000 }, 9_000, 1_999],
  ['a halted chain keeps all payments open', { halted: true }, 2_010, 0],
  ['a chain never read keeps all payments open', { lastTime: 0, readAt: 0 }, 2_010, 0],
  ['a sandbox chain: up to its last block', { sandbox: true, atTip: false }, 2_010, 2_000],
  ['a sandbox chain at its tip: up to its last reading', { sandbox: true }, 3_000, 2_010],
  ['a halted sandbox chain', { sandbox: true, halted: true }, 3_000, 0],
  ['a chain removed from the configuration: up to a day ago', { enabled: false, lastTime: 9 }, day + 500, 500],
  ['a halted chain removed from the configuration', { enabled: false, halted: true }, day + 500, 500],
  ['a chain removed a moment ago', { enabled: false }, 2_010, 1_999],
]
for (const [what, given, now, through] of readings) {
  test(what, () => assert.equal(lastFullyReadSecondOf({ ...chain, ...given }, now), through))
}

const payment: PaymentExpiryInput = { expireAt: 1_000, pending: 0n, seen: 0n, seenInTime: false, chains: [chain] }
const behind = { ...chain, lastTime: 1_000 }
const decisions: [what: string, payment: Partial<PaymentExpiryInput>, now: number, over: boolean][] = [
  ['past its deadline', {}, 2_010, true],
  ['at its deadline', {}, 1_000, true],
  ['a second before its deadline', {}, 999, false],
  ['no asset chosen', { chains: [] }, 1_000, true],
  ['its chain was read only into its last second', { chains: [behind] }, 2_010, false],
  ['a previously chosen chain is not read far enough', { chains: [chain, behind] }, 2_010, false],
  ['an in-time deposit is unconfirmed', { pending: 5n, seen: 5n, seenInTime: true }, 2_010, false],
  ['an in-time deposit with no counted value is unconfirmed', { seenInTime: true }, 2_010, false],
  ['a late deposit is unconfirmed', { pending: 5n, seen: 5n }, 2_010, true],
  ['its deposits changed concurrently', { pending: 5n, seen: 0n }, 2_010, false],
]
for (const [what, given, now, over] of decisions) {
  test(`${what}: ${over ? 'timed out' : 'open'}`, () => assert.equal(hasTimedOut({ ...payment, ...given }, now), over))
}
