import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ethereum } from '@coffer/chains'
import fc from 'fast-check'
import { type Facts, type Policy, refusalOf } from './policy.ts'
import { policyFor, readPolicy, writePolicy } from './policy-file.ts'
import { isSignRequest, type SignRequest } from './protocol.ts'

const USDT = ethereum.tokens[0]!.contract
const HOT = '0x00000000000000000000000000000000000000f0'
const SOMEBODY = '0x00000000000000000000000000000000000000a1'
const limits = { token: { single: 100, daily: 250 }, native: { single: 1, daily: 2 } }
const policy: Policy = policyFor([ethereum], limits)
const facts: Facts = { hot: HOT, deposit: null, spent: 0n, fees: 0n, nonceTaken: false }
const transfer: SignRequest = {
  kind: 'transfer',
  chain: 'eth',
  token: USDT,
  to: SOMEBODY,
  index: null,
  amount: '100000000',
  nonce: 7,
  gas: '80000',
  maxFeePerGas: '30000000000',
  maxPriorityFeePerGas: '1000000000',
}
const sweep: SignRequest = { ...transfer, kind: 'sweep', to: null, index: 3, amount: '999000000000' }
const gas: SignRequest = { ...transfer, kind: 'gas', to: null, index: 3, token: null, amount: '1000000000000000' }
const cancel: SignRequest = { ...transfer, kind: 'cancel', to: null, token: null, amount: '0' }

test('accepts requests within the policy', () => {
  for (const request of [transfer, sweep, gas, cancel]) {
    assert.ok(isSignRequest(request), request.kind)
    assert.equal(refusalOf(request, policy, facts), null, request.kind)
  }
})

const attacks: [string, SignRequest, Partial<Facts>, string][] = [
  ['an unknown chain', { ...transfer, chain: 'doge' }, {}, 'unknown_chain'],
  ['a chain named like a built-in property', { ...transfer, chain: '__proto__' }, {}, 'unknown_chain'],
  ['an unlisted token', { ...transfer, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['a token named like a built-in property', { ...transfer, token: 'constructor' }, {}, 'asset_not_allowed'],
  ['a sweep of an unlisted token', { ...sweep, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['an amount one unit over the single limit', { ...transfer, amount: '100000001' }, {}, 'too_large'],
  ['an amount one unit over the daily limit', transfer, { spent: 150_000_001n }, 'daily_limit'],
  ['an excessive gas price', { ...transfer, maxFeePerGas: '2000000000000' }, {}, 'fee_too_high'],
  ['an excessive gas limit', { ...transfer, gas: '90000000' }, {}, 'fee_too_high'],
  ['a sweep with an excessive fee', { ...sweep, gas: '90000000' }, {}, 'fee_too_high'],
  [
    'a fee one unit over the daily fee limit',
    transfer,
    { fees: 2n * 10n ** 18n - 2_399_999_999_999_999n },
    'fee_too_high',
  ],
  ['a cancel over the daily fee limit', cancel, { fees: 2n * 10n ** 18n }, 'fee_too_high'],
  ['a sweep over the daily fee limit', sweep, { fees: 2n * 10n ** 18n }, 'fee_too_high'],
  ['a priority fee above the maximum fee', { ...transfer, maxPriorityFeePerGas: '30000000001' }, {}, 'bad_request'],
  ['a zero amount', { ...transfer, amount: '0' }, {}, 'bad_request'],
  ['the zero address', { ...transfer, to: `0x${'0'.repeat(40)}` }, {}, 'bad_address'],
  ['a truncated address', { ...transfer, to: SOMEBODY.slice(0, 41) }, {}, 'bad_address'],
  ['an address that is not in stored form', { ...transfer, to: SOMEBODY.toUpperCase() }, {}, 'bad_address'],
  ['the token contract as receiver', { ...transfer, to: USDT }, {}, 'bad_address'],
  ['the hot wallet as receiver', { ...transfer, to: HOT }, {}, 'bad_address'],
  ['a nonce signed for another payout', transfer, { nonceTaken: true }, 'nonce_taken'],
  ['gas paid in a token', { ...gas, token: USDT }, {}, 'bad_request'],
  ['gas over its limit', { ...gas, amount: '20000000000000001' }, {}, 'too_large'],
  ['a cancel with an amount', { ...cancel, amount: '1' }, {}, 'bad_request'],
]

for (const [name, request, more, refusal] of attacks) {
  test(`refuses ${name}`, () => {
    assert.equal(refusalOf(request, policy, { ...facts, ...more }), refusal)
  })
}

test('refuses receivers that are not on the allowlist', () => {
  const listed: Policy = { eth: { ...policy.eth!, onlyTo: [SOMEBODY] } }
  assert.equal(refusalOf(transfer, listed, facts), null)
  const other = { ...transfer, to: '0x00000000000000000000000000000000000000a2' }
  assert.equal(refusalOf(other, listed, facts), 'not_on_list')
})

test('never exceeds the daily limit, however payouts are split', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 120_000_000n }), { maxLength: 30 }), amounts => {
      let spent = 0n
      for (const amount of amounts) {
        const request = { ...transfer, amount: amount.toString() }
        if (refusalOf(request, policy, { ...facts, spent }) === null) spent += amount
      }
      assert.ok(spent <= 250_000_000n)
    }),
  )
})

test('reads back a written policy, and refuses one that other users can write', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  await writePolicy(path, policy)
  assert.deepEqual(await readPolicy(path), policy)
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(path, mode)
    await assert.rejects(readPolicy(path), /is writable by other users/)
  }
})

test('recognises only exactly shaped requests', () => {
  const wrong: unknown[] = [
    null,
    'sign',
    [],
    { ...transfer, extra: 1 },
    { ...transfer, amount: 100 },
    { ...transfer, amount: '-1' },
    { ...transfer, amount: '1.5' },
    { ...transfer, amount: '0x10' },
    { ...transfer, amount: '9'.repeat(79) },
    { ...transfer, nonce: -1 },
    { ...transfer, nonce: 1.5 },
    { ...transfer, to: null },
    { ...transfer, index: 0 },
    { ...sweep, to: SOMEBODY },
    { ...sweep, index: null },
    { ...sweep, index: 2 ** 31 },
    { ...transfer, kind: 'anything' },
  ]
  for (const value of wrong) assert.ok(!isSignRequest(value), JSON.stringify(value))
})
