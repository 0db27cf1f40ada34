import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withdrawalStatus } from '@coffer/contract/codes.ts'
import { breakOnce } from '../../testing/break.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { testAuthenticator, testMerchant, visitor } from '../../testing/merchants.ts'
import { addressAt, eth, firstRow, rowsOf } from '../../testing/money.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { setSwitch } from '../chains/store.ts'
import { requestWithdrawal } from './request-withdrawal.ts'

test('reserves the amount, stores the terms, and records the requester', async t => {
  const world = await withdrawalWorld(t)
  const id = await world.withdraw('100', { remark: ' rent ' })
  const row = await world.withdrawal(id)
  // 65,000 units of gas at 3 gwei are 0.000195 ETH at 2,500 USDT; the fee is one thousandth.
  const { amount, fee, gas, receives, status, to_address, remark, rate } = row
  assert.deepEqual(
    { amount, fee, gas, receives, status, to_address, remark, price: rate.price },
    {
      amount: '100000000',
      fee: '100000',
      gas: '487500',
      receives: '99412500',
      status: withdrawalStatus.transferring,
      to_address: outside.toLowerCase(),
      remark: 'rent',
      price: '1',
    },
  )
  assert.deepEqual(await world.balances(), ['900000000', '100000000'])
  assert.deepEqual(await world.history(id), ['requested'])
  const entry = await firstRow(world.owner, `select * from audit_log where type = 'withdrawal_requested'`)
  assert.deepEqual([entry.merchant_id, entry.subject], [world.merchant.id, id])
  await world.deps.delivered()
  assert.match(world.deps.mails.at(-1)!.text, /100\.00 USDT, 0x00000000000000000000000000000000000000bb/)
  await assertBooksAgree(world.owner)
})

test('a native coin pays for its own gas', async t => {
  const world = await withdrawalWorld(t)
  await world.grant(10n ** 18n, 'eth:ETH')
  const { gas, receives } = await world.withdrawal(await world.withdraw('0.5', { assetId: 'eth:ETH' }))
  assert.deepEqual([gas, receives], ['63000000000000', '499437000000000000'])
})

test('a proof is needed and confirms one withdrawal', async t => {
  const world = await withdrawalWorld(t)
  await assert.rejects(world.withdraw('10', { proof: undefined }), { reason: 'proof_needed' })
  const proof = await world.proof()
  await world.withdraw('10', { proof })
  await assert.rejects(world.withdraw('10', { proof }), { reason: 'proof_needed' })
  const stranger = await testMerchant(world.deps)
  await assert.rejects(world.withdraw('10', { proof: await world.proof(stranger.id) }), { reason: 'proof_needed' })
  assert.deepEqual(await world.balances(), ['990000000', '10000000'])
})

test('refuses amounts by name', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawSingleMax: 400, withdrawDayMax: 700 } })
  const refusals: [amount: string, reason: string][] = [
    ['1000', 'insufficient_balance'],
    ['10001', 'insufficient_balance'],
    ['999.999999', 'withdrawal_too_large'],
    ['400.000001', 'withdrawal_too_large'],
    ['0.9', 'amount_too_small'],
    ['0.487500', 'amount_too_small'],
    ['1.0000001', 'bad_amount'],
  ]
  for (const [amount, reason] of refusals)
    await assert.rejects(world.withdraw(amount), { reason, field: 'amount' }, amount)
  await world.withdraw('400')
  await assert.rejects(world.withdraw('300.000001'), { reason: 'withdrawal_day_limit' })
  await world.withdraw('300')
  await assert.rejects(world.withdraw('1'), { reason: 'withdrawal_day_limit' })
  world.deps.pass(86_400)
  await assert.rejects(world.withdraw('300'), { reason: 'insufficient_balance' }, 'must be less than the balance')
  await world.withdraw('299.999999')
  assert.deepEqual(await world.balances(), ['1', '999999999'])
  await assertBooksAgree(world.owner)
})

test('a refusal by a limit carries what is left and until when', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawSingleMax: 400, withdrawDayMax: 700 } })
  await world.withdraw('400')
  const since = world.deps.clock()
  world.deps.pass(3_600)
  await assert.rejects(world.withdraw('350'), ({ data }: { data: object[] }) => {
    assert.deepEqual(data[1], {
      rule: 'window',
      of_platform: true,
      per: 'merchant',
      seconds: 86_400,
      allowed: false,
      used: '400',
      limit: '700',
      left: '300',
      until: since + 86_400,
    })
    return true
  })
})

test('a refusal tells a limit of the platform from one of the merchant', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawSingleMax: 400 } })
  await world.owner.query(
    `insert into withdrawal_policies (merchant_id, id, rules, active_from, created_at) values ($1, 'x', $2, 0, 0)`,
    [world.merchant.id, JSON.stringify([{ kind: 'single', limit: '300' }])],
  )
  type Refused = { detail: object; data: { rule: string; of_platform: boolean; limit: string }[] }
  await assert.rejects(world.withdraw('450'), ({ detail, data }: Refused) => {
    assert.deepEqual(detail, {
      en: 'platform’s per-withdrawal limit: 400 USDT; per-withdrawal limit: 300 USDT',
      'zh-CN': '平台单笔限额：400 USDT；单笔限额：300 USDT',
    })
    const singles = data.filter(({ rule }) => rule === 'single').map(({ of_platform, limit }) => [of_platform, limit])
    assert.deepEqual(singles, [
      [true, '400'],
      [false, '300'],
    ])
    return true
  })
})

test('refuses destinations by name', async t => {
  const world = await withdrawalWorld(t)
  const { address: ours } = await assignFixedAddress(world.deps, world.merchant.id, eth.id)
  const refusals: [address: string, reason: string][] = [
    ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'bad_address'],
    [`0x${'0'.repeat(40)}`, 'bad_address'],
    [outside.replace(/bb$/, 'bB'), 'bad_address'],
    [eth.tokens[1]!.contract, 'address_not_allowed'],
    [ours, 'address_not_allowed'],
  ]
  for (const [address, reason] of refusals)
    await assert.rejects(world.withdraw('10', { address }), { reason, field: 'address' }, address)
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot', 0)`, [addressAt('evm', 999)])
  await assert.rejects(world.withdraw('10', { address: addressAt('evm', 999) }), { reason: 'address_not_allowed' })
  assert.deepEqual(await world.balances(), ['1000000000', '0'])
})

test('accounts and chains on hold cannot withdraw', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawHoldHours: 24 } })
  const { owner, deps, merchant } = world
  await testAuthenticator(deps, merchant.id)
  const forbidden = { reason: 'withdrawal_forbidden' }
  for (const change of [
    'frozen = true',
    'frozen = false, status = 1',
    `status = 3, factor_changed_at = ${deps.clock()}`,
  ]) {
    await owner.query(`update merchants set ${change} where id = $1`, [merchant.id])
    await assert.rejects(world.withdraw('10'), forbidden, change)
  }
  deps.pass(24 * 3_600)
  await world.withdraw('10')
  await owner.query(`update chains set halted = 'reorg'`)
  await assert.rejects(world.withdraw('10'), forbidden)
  await owner.query('update chains set halted = null')
  await setSwitch(deps.pool, 'withdrawals_stopped', 'too little', deps.clock())
  await assert.rejects(world.withdraw('10'), forbidden)
  await owner.query('update merchants set deleted_at = 1')
  await assert.rejects(world.withdraw('10'), { reason: 'login_expired' })
})

test('500 requests of 50 at once pass a window and a balance exactly as often as they fit', async t => {
  const world = await withdrawalWorld(t, { config: { withdrawDayMax: 550 } })
  const proofs = await Promise.all(Array.from({ length: 500 }, () => world.proof()))
  const results = await Promise.allSettled(proofs.map(proof => world.withdraw('50', { proof })))
  const reasons = Map.groupBy(results, each => (each.status === 'rejected' ? each.reason.reason : 'accepted'))
  assert.deepEqual([reasons.get('accepted')?.length, reasons.get('withdrawal_day_limit')?.length], [11, 489])
  assert.deepEqual(await world.balances(), ['450000000', '550000000'])
  await assertBooksAgree(world.owner)

  const other = await testMerchant(world.deps)
  await world.grant(501_000_000n, 'eth:USDT', other.id)
  const more = await Promise.all(Array.from({ length: 100 }, () => world.proof(other.id)))
  const second = await Promise.allSettled(
    more.map((proof, n) => world.withdraw(n % 2 ? '50' : '50.1', { proof, merchantId: other.id })),
  )
  const [left = '0', held = '0'] = await world.balances('eth:USDT', other.id)
  assert.equal(BigInt(left) + BigInt(held), 501_000_000n)
  assert.equal(second.filter(each => each.status === 'fulfilled').length, 10)
  await assertBooksAgree(world.owner)
})

test('a crash in the middle reserves nothing and keeps the proof', async t => {
  const world = await withdrawalWorld(t)
  const proof = await world.proof()
  for (const statement of [/insert into withdrawals/, /insert into withdrawal_events/, /ledger_post/, /audit_append/]) {
    const broken = { ...world.deps, pool: breakOnce(world.deps.pool, statement) }
    const input = { merchantId: world.merchant.id, assetId: 'eth:USDT', address: outside, amount: '10', proof }
    await assert.rejects(requestWithdrawal(broken, { ...input, from: visitor }), /killed here/, String(statement))
  }
  assert.deepEqual(await rowsOf(world.owner, 'select * from withdrawals'), [])
  assert.deepEqual(await world.balances(), ['1000000000', '0'])
  await world.withdraw('10', { proof })
})

test('no SQL of the server makes a withdrawal unbalanced, deletes one or rewrites its history', async t => {
  const world = await withdrawalWorld(t)
  const id = await world.withdraw('10')
  const run = (sql: string) => world.deps.pool.query(sql)
  const unbalanced = { constraint: 'withdrawals_balanced' }
  for (const change of [
    'status = 5',
    'status = 5, settled = receives, released = 1',
    'status = 5, settled = amount',
    'status = 6, released = receives',
    'status = 2, settled = receives, released = fee + gas',
    'settled = 1',
  ])
    await assert.rejects(run(`update withdrawals set ${change}`), unbalanced, change)
  await assert.rejects(run('update withdrawals set receives = receives + 1'), { constraint: 'withdrawals_receives' })
  await assert.rejects(run('delete from withdrawals'), { code: '42501' })
  await assert.rejects(run(`update withdrawal_events set event = 'final'`), { code: '42501' })
  assert.equal((await world.withdrawal(id)).status, withdrawalStatus.transferring)
})
