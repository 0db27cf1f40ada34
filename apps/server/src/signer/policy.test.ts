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

test('what the policy allows is signed', () => {
  for (const request of [transfer, sweep, gas, cancel]) {
    assert.ok(isSignRequest(request), request.kind)
    assert.equal(refusalOf(request, policy, facts), null, request.kind)
  }
})

const attacks: [string, SignRequest, Partial<Facts>, string][] = [
  ['a chain that is not ours', { ...transfer, chain: 'doge' }, {}, 'unknown_chain'],
  ['a chain named like a built-in', { ...transfer, chain: '__proto__' }, {}, 'unknown_chain'],
  ['a token that is not on the list', { ...transfer, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['a token named like a built-in', { ...transfer, token: 'constructor' }, {}, 'asset_not_allowed'],
  ['a sweep of a token that is not on the list', { ...sweep, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['one unit over the single limit', { ...transfer, amount: '100000001' }, {}, 'too_large'],
  ['one unit over the 24 hours', transfer, { spent: 150_000_001n }, 'daily_limit'],
  ['a fee that burns the wallet', { ...transfer, maxFeePerGas: '2000000000000' }, {}, 'fee_too_high'],
  ['a gas limit that burns the wallet', { ...transfer, gas: '90000000' }, {}, 'fee_too_high'],
  ['a sweep whose fee burns the deposit', { ...sweep, gas: '90000000' }, {}, 'fee_too_high'],
  [
    'fees that burn the wallet bit by bit',
    transfer,
    { fees: 2n * 10n ** 18n - 2_399_999_999_999_999n },
    'fee_too_high',
  ],
  ['the last of them by a cancel', cancel, { fees: 2n * 10n ** 18n }, 'fee_too_high'],
  ['the last of them by a sweep', sweep, { fees: 2n * 10n ** 18n }, 'fee_too_high'],
  ['a tip above the fee', { ...transfer, maxPriorityFeePerGas: '30000000001' }, {}, 'bad_request'],
  ['nothing at all', { ...transfer, amount: '0' }, {}, 'bad_request'],
  ['the zero address', { ...transfer, to: `0x${'0'.repeat(40)}` }, {}, 'bad_address'],
  ['an address cut short', { ...transfer, to: SOMEBODY.slice(0, 41) }, {}, 'bad_address'],
  ['an address in another form', { ...transfer, to: SOMEBODY.toUpperCase() }, {}, 'bad_address'],
  ['the contract of the token', { ...transfer, to: USDT }, {}, 'bad_address'],
  ['the hot wallet itself', { ...transfer, to: HOT }, {}, 'bad_address'],
  ['a nonce signed for somebody else', transfer, { nonceTaken: true }, 'nonce_taken'],
  ['gas in a token', { ...gas, token: USDT }, {}, 'bad_request'],
  ['gas beyond its own limit', { ...gas, amount: '20000000000000001' }, {}, 'too_large'],
  ['a cancel that pays', { ...cancel, amount: '1' }, {}, 'bad_request'],
]

for (const [name, request, more, refusal] of attacks) {
  test(`refused: ${name}`, () => {
    assert.equal(refusalOf(request, policy, { ...facts, ...more }), refusal)
  })
}

test('with a list of receivers nobody else is paid', () => {
  const listed: Policy = { eth: { ...policy.eth!, onlyTo: [SOMEBODY] } }
  assert.equal(refusalOf(transfer, listed, facts), null)
  const other = { ...transfer, to: '0x00000000000000000000000000000000000000a2' }
  assert.equal(refusalOf(other, listed, facts), 'not_on_list')
})

test('however payouts are cut up, no more than the daily limit goes out', () => {
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

test('a policy is read as it was written, and not at all when others could change it', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  await writePolicy(path, policy)
  assert.deepEqual(await readPolicy(path), policy)
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(path, mode)
    await assert.rejects(readPolicy(path), /can be changed by others/)
  }
})

test('a request of another shape is not a request', () => {
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
