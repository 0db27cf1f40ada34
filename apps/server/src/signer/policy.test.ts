import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chainAdapters, ethereum, tron } from '@coffer/chains'
import fc from 'fast-check'
import {
  type ChainPolicy,
  computeOutgoingAmount,
  findPolicyViolation,
  type PolicyState,
  type SignerPolicy,
  UnreleasedPaymentSums,
} from './policy.ts'
import { buildSignerPolicy, readPolicy, writePolicy } from './policy-file.ts'
import { isSignRequest, type SignRequest } from './protocol.ts'

const USDT = ethereum.tokens[0]!.contract
const HOT = '0x00000000000000000000000000000000000000f0'
const SOMEBODY = '0x00000000000000000000000000000000000000a1'
const limits = { token: { single: 100, daily: 250 }, native: { single: 1, daily: 2 }, daily: null }
const policy: SignerPolicy = buildSignerPolicy([ethereum, tron], limits)
const facts: PolicyState = {
  hot: HOT,
  spent: 0n,
  fees: 0n,
  nonceTaken: false,
  now: 1_000_000,
  isUsed: () => false,
  unreleased: new UnreleasedPaymentSums(),
  elsewhere: 0n,
}
const onEth = (more: Partial<ChainPolicy>): SignerPolicy => ({
  daily: null,
  chains: { eth: { ...policy.chains.eth!, ...more } },
})
const written = async (path: string, of: SignerPolicy) => {
  await writePolicy(path, of)
  return readFileSync(path, 'utf8')
}
type Of<K extends SignRequest['kind']> = Extract<SignRequest, { kind: K }>
const terms = { chain: 'eth', nonce: 7, gas: '80000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' }
const transfer: Of<'transfer'> = {
  kind: 'transfer',
  ...terms,
  token: USDT,
  to: SOMEBODY,
  index: null,
  amount: '100000000',
}
const batch: Of<'batch'> = { kind: 'batch', ...terms, token: USDT, payments: [{ to: SOMEBODY, amount: '100000000' }] }
const approve: Of<'approve'> = { kind: 'approve', ...terms, token: USDT, amount: '1000000000000' }
const sweep: Of<'sweep'> = { ...transfer, kind: 'sweep', to: null, index: 3, amount: '999000000000' }
const sweepMany: Of<'sweepMany'> = { kind: 'sweepMany', ...terms, token: USDT, owners: [{ index: 3, authorize: 0 }] }
const gas: Of<'gas'> = { ...transfer, kind: 'gas', to: null, index: 3, token: null, amount: '1000000000000000' }
const cancel: Of<'cancel'> = { ...transfer, kind: 'cancel', to: null, token: null, amount: '0' }
const paying = (...payments: [to: string, amount: string][]): Of<'batch'> => ({
  ...batch,
  payments: payments.map(([to, amount]) => ({ to, amount })),
})
const OTHER = '0x00000000000000000000000000000000000000a2'

test('accepts requests within the policy', () => {
  const native = { ...sweepMany, token: null, owners: Array(50).fill({ index: 3, authorize: null }) }
  const full = paying([SOMEBODY, '100000000'], [OTHER, '100000000'], [SOMEBODY, '50000000'])
  const refill = { ...gas, index: null }
  const stuck = { ...cancel, wallet: 'sweeper' as const }
  for (const request of [transfer, batch, full, approve, sweep, sweepMany, native, gas, refill, cancel, stuck]) {
    assert.ok(isSignRequest(request), request.kind)
    assert.equal(findPolicyViolation(request, policy, facts), null, request.kind)
  }
})

test('under a limit of all chains nothing is paid whose worth the policy does not give, nor with a coin of unknown worth', () => {
  const { native, [USDT]: token } = policy.chains.eth!.worth
  const under = (worth: ChainPolicy['worth'], daily: bigint | null = 10n ** 12n) => ({ ...onEth({ worth }), daily })
  const coin = { ...transfer, token: null, amount: '1000' }
  for (const worth of [{}, { native: native! }, { [USDT]: token! }] as ChainPolicy['worth'][]) {
    for (const request of [transfer, batch])
      assert.equal(findPolicyViolation(request, under(worth), facts), 'worth_unknown', Object.keys(worth).join())
    assert.equal(
      findPolicyViolation(coin, under(worth), facts),
      Object.hasOwn(worth, 'native') ? null : 'worth_unknown',
    )
    // What stays with our own addresses, and what takes a payment back, goes on.
    const others: SignRequest[] = [sweep, sweepMany, gas, cancel]
    for (const each of others) assert.equal(findPolicyViolation(each, under(worth), facts), null)
    assert.equal(findPolicyViolation(transfer, under(worth, null), facts), null, 'without such a limit')
  }
  assert.equal(findPolicyViolation(transfer, under({ native: native!, [USDT]: token! }), facts), null)
})

const tronTerms = {
  chain: 'tron',
  nonce: 7,
  refBlock: { number: 1, hash: `0x${'0'.repeat(64)}` },
  timestamp: 999_999_000,
  expiration: 1_000_060_000,
  feeLimit: '30000000',
}
const usdt = tron.tokens[0]!.contract
const tronTransfer = { ...tronTerms, kind: 'transfer', token: usdt, to: SOMEBODY, index: null, amount: '1' } as const

test('accepts requests on TRON within the policy', () => {
  const own = { ...tronTerms, index: 3, to: null, amount: '1' }
  const requests: SignRequest[] = [
    tronTransfer,
    { ...tronTransfer, index: 5 },
    { ...own, kind: 'gas', token: null },
    { ...own, kind: 'sweep', token: usdt },
    { ...own, kind: 'delegate', token: null },
    { ...own, kind: 'undelegate', token: null },
  ]
  for (const request of requests) {
    assert.ok(isSignRequest(request), request.kind)
    assert.equal(findPolicyViolation(request, policy, facts), null, request.kind)
  }
})

test('limits the fee of a transaction on TRON, bandwidth included', () => {
  const withLimit = (feeLimit: string) => findPolicyViolation({ ...tronTransfer, feeLimit }, policy, facts)
  assert.equal(withLimit('98400000'), null)
  assert.equal(withLimit('98400001'), 'fee_too_high')
})

test('refuses a transaction that has expired, or can wait for more than an hour', () => {
  for (const [expiration, refusal] of [
    [1_000_000_999, 'bad_request'],
    [1_000_001_000, null],
    [1_003_600_999, null],
    [1_003_601_000, 'bad_request'],
  ] as const)
    assert.equal(findPolicyViolation({ ...tronTransfer, expiration }, policy, facts), refusal, String(expiration))
  const late = { ...tronTransfer, timestamp: 1_000_061_000 }
  assert.equal(findPolicyViolation(late, policy, facts), 'bad_request')
})

const ALMOST = { spent: 150_000_000n }
const attacks: [string, SignRequest, Partial<PolicyState>, string][] = [
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
  ['an approval at a nonce signed for something else', approve, { nonceTaken: true }, 'nonce_taken'],
  ['a sweep at a nonce signed for something else', sweepMany, { nonceTaken: true }, 'nonce_taken'],
  ['a batch at a nonce signed for something else', batch, { nonceTaken: true }, 'nonce_taken'],
  ['a batch of an unlisted token', { ...batch, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['an allowance of an unlisted token', { ...approve, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['a sweep of many of an unlisted token', { ...sweepMany, token: SOMEBODY }, {}, 'asset_not_allowed'],
  ['a batch over the daily limit in sum', paying([SOMEBODY, '60000000'], [OTHER, '40000001']), ALMOST, 'daily_limit'],
  ['one payment of a batch over the single limit', paying([OTHER, '1'], [SOMEBODY, '100000001']), {}, 'too_large'],
  ['a batch with a payment of zero', paying([OTHER, '1'], [SOMEBODY, '0']), {}, 'bad_request'],
  ['a batch that pays the hot wallet', paying([OTHER, '1'], [HOT, '1']), {}, 'bad_address'],
  ['a batch that pays a token contract', paying([OTHER, '1'], [USDT, '1']), {}, 'bad_address'],
  ['a batch whose fee exceeds the limit for each payment', { ...batch, gas: '4000000' }, {}, 'fee_too_high'],
  ['a sweep whose fee exceeds the limit for each address', { ...sweepMany, gas: '4000000' }, {}, 'fee_too_high'],
  ['gas over its limit', { ...gas, amount: '20000000000000001' }, {}, 'too_large'],
]

for (const [name, request, more, refusal] of attacks) {
  test(`refuses ${name}`, () => {
    assert.equal(findPolicyViolation(request, policy, { ...facts, ...more }), refusal)
  })
}

test('refuses receivers that are not on the allowlist', () => {
  const listed = onEth({ onlyTo: [SOMEBODY] })
  assert.equal(findPolicyViolation(transfer, listed, facts), null)
  const other = { ...transfer, to: '0x00000000000000000000000000000000000000a2' }
  assert.equal(findPolicyViolation(other, listed, facts), 'not_on_list')
})

const some = fc.array(fc.bigInt({ min: 1n, max: 120_000_000n }), { minLength: 1, maxLength: 30 })

test('never exceeds the daily limit, however payouts are split and batched', () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), batches => {
      let spent = 0n
      for (const amounts of batches) {
        const alone = { ...transfer, amount: amounts[0]!.toString() }
        const together = paying(...amounts.map(amount => [OTHER, amount.toString()] as [string, string]))
        const request = amounts.length === 1 ? alone : together
        if (findPolicyViolation(request, policy, { ...facts, spent }) === null) spent += computeOutgoingAmount(request)
      }
      assert.ok(spent <= 250_000_000n)
    }),
  )
})

test('allows in a batch only what it allows one by one', () => {
  fc.assert(
    fc.property(some, fc.bigInt({ min: 0n, max: 250_000_000n }), (amounts, spent) => {
      const request = paying(...amounts.map(amount => [OTHER, amount.toString()] as [string, string]))
      if (findPolicyViolation(request, policy, { ...facts, spent }) !== null) return
      let used = spent
      for (const amount of amounts) {
        assert.equal(
          findPolicyViolation({ ...transfer, amount: amount.toString() }, policy, { ...facts, spent: used }),
          null,
        )
        used += amount
      }
    }),
  )
})

test('never allows more with a stricter policy', () => {
  const limit = fc.bigInt({ min: 0n, max: 300_000_000n })
  fc.assert(
    fc.property(some, limit, limit, limit, limit, (amounts, single, daily, lessSingle, lessDaily) => {
      const request = paying(...amounts.map(amount => [OTHER, amount.toString()] as [string, string]))
      const withLimit = (limit: { single: bigint; daily: bigint }) => onEth({ assets: { [USDT]: limit } })
      const strict = { single: single - (lessSingle % (single + 1n)), daily: daily - (lessDaily % (daily + 1n)) }
      if (findPolicyViolation(request, withLimit(strict), facts) === null)
        assert.equal(findPolicyViolation(request, withLimit({ single, daily }), facts), null)
    }),
  )
})

test('signs batches and delegations only where the policy allows them', () => {
  const without = onEth({ batches: false, delegates: false })
  for (const request of [batch, approve, sweepMany])
    assert.equal(findPolicyViolation(request, without, facts), 'not_allowed')
  assert.equal(findPolicyViolation(sweep, without, facts), null)
})

test('allows neither batches nor delegations by the policy of an older version', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  const {
    allChains,
    eth: { worth, ...eth },
  } = JSON.parse(await written(path, onEth({})))
  assert.deepEqual([allChains, worth[USDT]], [{ daily: null }, { dollars: '1', decimals: 6 }])
  const old = { ...eth, batches: undefined, delegates: undefined, treasury: undefined, float: undefined }
  writeFileSync(path, JSON.stringify({ eth: old }))
  assert.deepEqual(
    await readPolicy(path),
    onEth({ batches: false, delegates: false, float: {} }),
    'the worth of listed tokens is known',
  )
})

test('with a treasury only the hot wallet pays, and it may send there what it does not need', () => {
  const treasury = `0x${'c0'.repeat(20)}`
  const evm = onEth({ treasury })
  const fromHot: SignRequest = { ...sweep, index: null }
  assert.equal(findPolicyViolation(fromHot, policy, facts), 'not_allowed')
  assert.deepEqual(
    [findPolicyViolation(fromHot, evm, facts), findPolicyViolation(sweep, evm, facts)],
    [null, null],
    'however much it is',
  )
  assert.equal(findPolicyViolation(fromHot, evm, { ...facts, nonceTaken: true }), 'nonce_taken')
  assert.equal(findPolicyViolation({ ...fromHot, token: OTHER }, evm, facts), 'asset_not_allowed')
  const onTron: SignerPolicy = { daily: null, chains: { tron: { ...policy.chains.tron!, treasury } } }
  const straight: SignRequest = { ...tronTransfer, index: 3 }
  assert.deepEqual(
    [
      findPolicyViolation(straight, policy, facts),
      findPolicyViolation(straight, onTron, facts),
      findPolicyViolation(tronTransfer, onTron, facts),
    ],
    [null, 'not_allowed', null],
  )
})

test('takes a treasury as it is shown or stored, and refuses what can hold nothing', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  const readWith = async (chain: 'eth' | 'tron', treasury: string) => {
    await writePolicy(path, { daily: null, chains: { [chain]: { ...policy.chains[chain]!, treasury } } })
    return (await readPolicy(path)).chains[chain]!.treasury
  }
  const address = '0x52908400098527886e0f7030069857d2e4169ee7'
  const shown = '0x52908400098527886E0F7030069857D2E4169EE7'
  assert.deepEqual([await readWith('eth', address), await readWith('eth', shown)], [address, address])
  assert.equal(await readWith('tron', chainAdapters.tron.address.show(address)), address)
  const mistyped = shown.replace('E4169', 'e4169')
  for (const wrong of [mistyped, '', 'treasury', `0x${'0'.repeat(40)}`, USDT])
    await assert.rejects(readWith('eth', wrong), /invalid at eth.treasury/, wrong)
})

test('reads back a written policy, and refuses one that other users can write', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-policy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'policy.json')
  const limited = { ...policy, daily: 50_000_500_000n }
  assert.match(await written(path, limited), /"allChains": \{\s+"daily": "50000.5"/)
  assert.deepEqual(await readPolicy(path), limited)
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
    { ...sweep, index: -1 },
    { ...sweep, index: 2 ** 31 },
    { ...transfer, kind: 'anything' },
    { ...gas, token: USDT },
    { ...cancel, amount: '1' },
    { ...cancel, wallet: 'deposit' },
    { ...transfer, index: 3 },
    { ...transfer, feeLimit: '1' },
    { ...tronTransfer, gas: '1' },
    { ...tronTransfer, refBlock: { number: 1, hash: '0x12' } },
    { ...tronTransfer, kind: 'batch' },
    { ...tronTransfer, kind: 'delegate' },
    { ...batch, payments: [] },
    { ...batch, payments: Array(51).fill(batch.payments[0]) },
    { ...batch, payments: [{ to: SOMEBODY, amount: 1 }] },
    { ...batch, payments: [{ to: SOMEBODY, amount: '1', data: '0x' }] },
    { ...batch, token: null },
    { ...batch, to: SOMEBODY },
    { ...approve, spender: SOMEBODY },
    { ...sweepMany, treasury: SOMEBODY },
    { ...sweepMany, owners: [] },
    { ...sweepMany, owners: Array(51).fill(sweepMany.owners[0]) },
    { ...sweepMany, owners: [{ index: 3, authorize: 0, contract: SOMEBODY }] },
    { ...sweepMany, owners: [{ index: 3, authorize: 0, chainId: 0 }] },
  ]
  for (const value of wrong) assert.ok(!isSignRequest(value), JSON.stringify(value))
})
