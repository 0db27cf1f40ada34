import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SigningRecord, type SigningRecordEntry } from './record.ts'

const DAY = 86_400
const home = mkdtempSync(join(tmpdir(), 'coffer-record-'))
after(() => rmSync(home, { recursive: true }))
const fresh = () => join(mkdtempSync(join(home, 'each-')), 'signed.jsonl')
const entry = (more: Partial<SigningRecordEntry>): SigningRecordEntry => ({
  at: 1_000_000,
  chain: 'eth',
  nonce: 0,
  purpose: 'native',
  intent: 'transfer',
  amount: '5',
  ...more,
})

test('sums 24 hours per chain and purpose', () => {
  const record = new SigningRecord(fresh(), 1_000_000)
  record.add(entry({ nonce: 0 }))
  record.add(entry({ nonce: 1, at: 1_000_000 + DAY - 1, amount: '7' }))
  record.add(entry({ nonce: 0, chain: 'bsc', amount: '100' }))
  record.add(entry({ nonce: 2, purpose: 'gas', amount: '100' }))
  assert.equal(record.spent('eth', 'native', 1_000_000 + DAY - 1), 12n)
  assert.equal(record.spent('eth', 'native', 1_000_000 + DAY), 7n)
  assert.equal(record.spent('eth', 'native', 1_000_000 + 3 * DAY), 0n)
})

test('counts the highest fee per nonce and account', () => {
  const path = fresh()
  const record = new SigningRecord(path, 1_000_000)
  const fee = (amount: string, more: Partial<SigningRecordEntry> = {}) =>
    record.add(entry({ purpose: 'fee', amount, ...more }))
  record.add(entry({ amount: '1000' }))
  fee('5')
  fee('7', { at: 1_000_010 })
  fee('20', { account: 0 })
  fee('30', { account: 1 })
  const check = (each: SigningRecord) => {
    assert.equal(each.spent('eth', 'fee', 1_000_020), 57n)
    assert.equal(each.spent('eth', 'native', 1_000_020), 1_000n)
    assert.equal(each.signedAt({ chain: 'eth', nonce: 0 })?.intent, 'transfer')
    assert.deepEqual(each.feeAt({ chain: 'eth', nonce: 0 }, 1_000_020), { fee: 7n, counted: 7n })
    assert.deepEqual(each.feeAt({ chain: 'eth', nonce: 0 }, 1_000_010 + DAY), { fee: 7n, counted: 0n })
    assert.deepEqual(each.feeAt({ chain: 'eth', nonce: 0, account: 1 }, 1_000_020), { fee: 30n, counted: 30n })
    assert.deepEqual(each.feeAt({ chain: 'eth', nonce: 1 }, 1_000_020), { fee: 0n, counted: 0n })
  }
  check(record)
  record.close()
  check(new SigningRecord(path, 1_000_020))
})

test('keeps its entries across a restart, even after a torn write', () => {
  const path = fresh()
  const first = new SigningRecord(path, 1_000_000)
  first.add(entry({ nonce: 3 }))
  first.add(entry({ nonce: 4, amount: '6' }))
  first.close()
  appendFileSync(path, '{"at":1000000,"chain":"eth","non')
  const second = new SigningRecord(path, 1_000_100)
  assert.equal(second.spent('eth', 'native', 1_000_100), 11n)
  assert.equal(second.signedAt({ chain: 'eth', nonce: 3 })?.intent, 'transfer')
  assert.equal(second.signedAt({ chain: 'eth', nonce: 5 })?.intent, undefined)
  second.add(entry({ nonce: 5 }))
  second.close()
  assert.equal(new SigningRecord(path, 1_000_200).spent('eth', 'native', 1_000_200), 16n)
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('drops entries older than 30 days', () => {
  const path = fresh()
  const first = new SigningRecord(path, 1_000_000)
  first.add(entry({ nonce: 3 }))
  first.add(entry({ nonce: 4, at: 1_000_000 + 30 * DAY }))
  first.close()
  new SigningRecord(path, 1_000_000 + 31 * DAY).close()
  assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 1)
})
