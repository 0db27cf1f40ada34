import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainReading, type Expiring, hasTimedOut, readThrough } from './expiry.ts'

const chain: ChainReading = {
  enabled: true,
  halted: false,
  sandbox: false,
  lastTime: 2_000,
  readAt: 2_010,
  atTip: true,
}
const day = 86_400

const readings: [what: string, chain: Partial<ChainReading>, now: number, through: number][] = [
  ['a live chain: up to the second before its last block', {}, 2_010, 1_999],
  ['a live chain at its tip is no further', { atTip: true, readAt: 9_000 }, 9_000, 1_999],
  ['a halted chain keeps all payments open', { halted: true }, 2_010, 0],
  ['a chain that was never read keeps all payments open', { lastTime: 0, readAt: 0 }, 2_010, 0],
  ['a chain in the sandbox: up to its last block', { sandbox: true, atTip: false }, 2_010, 2_000],
  ['a chain in the sandbox, at its tip: up to when it was read', { sandbox: true }, 3_000, 2_010],
  ['a halted chain in the sandbox', { sandbox: true, halted: true }, 3_000, 0],
  ['a chain that is configured no more: up to a day ago', { enabled: false, lastTime: 9 }, day + 500, 500],
  ['a halted chain that is configured no more', { enabled: false, halted: true }, day + 500, 500],
  ['a chain that was left out a moment ago', { enabled: false }, 2_010, 1_999],
]
for (const [what, given, now, through] of readings) {
  test(what, () => assert.equal(readThrough({ ...chain, ...given }, now), through))
}

const payment: Expiring = { expireAt: 1_000, pending: 0n, seen: 0n, seenInTime: false, chains: [chain] }
const behind = { ...chain, lastTime: 1_000 }
const decisions: [what: string, payment: Partial<Expiring>, now: number, over: boolean][] = [
  ['its time is over', {}, 2_010, true],
  ['its last second', {}, 1_000, true],
  ['a second before', {}, 999, false],
  ['nothing was chosen', { chains: [] }, 1_000, true],
  ['its chain was read into its last second only', { chains: [behind] }, 2_010, false],
  ['a chain that was left was not read', { chains: [chain, behind] }, 2_010, false],
  ['money in time is on its way', { pending: 5n, seen: 5n, seenInTime: true }, 2_010, false],
  ['money in time that counts for nothing is on its way', { seenInTime: true }, 2_010, false],
  ['late money is on its way', { pending: 5n, seen: 5n }, 2_010, true],
  ['its deposits changed meanwhile', { pending: 5n, seen: 0n }, 2_010, false],
]
for (const [what, given, now, over] of decisions) {
  test(`${what}: ${over ? 'timed out' : 'open'}`, () => assert.equal(hasTimedOut({ ...payment, ...given }, now), over))
}
