import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Chain, disperseContract, sweeperOf } from '@coffer/chains'
import { tx } from '../../kit/db.ts'
import { Refusal } from '../../kit/refusal.ts'
import { testMerchant } from '../../testing/merchants.ts'
import { eth } from '../../testing/money.ts'
import { outside, withdrawalWorld } from '../../testing/withdrawals.ts'
import { checkAddressBookEntries } from '../address-book/check-address-book-entries.ts'
import { withdrawalOwner } from '../withdrawals/owner.ts'
import { parseDestination } from './destination.ts'
import { explainDestination } from './explain-destination.ts'

const treasury = '0x00000000000000000000000000000000000000cc'
const receipt = {
  txid: '0x1',
  blockNumber: 7,
  blockHash: '0x1',
  status: 'success' as const,
  gasUsed: 1n,
  gasPrice: 1n,
  fee: 1n,
  transfers: [],
}

const clean = {
  form: 'pass',
  token_contract: 'pass',
  lost: 'pass',
  ours: 'pass',
  sanctions: 'pass',
  look_alike: 'pass',
}

type World = Awaited<ReturnType<typeof withdrawalWorld>>

/** The results of all checks of an address, by their names. */
async function explain({ deps, merchant }: World, address: string, merchantId = merchant.id) {
  const { valid, checks } = await explainDestination(deps, {
    merchantId,
    chainId: 'eth',
    tokenId: 'eth:USDT',
    address,
  })
  const results: Record<string, unknown> = { valid }
  for (const { check, result } of checks) results[check] = result
  return results
}

test('refuses addresses from which nobody could take it out, whatever asks for it', async t => {
  const world = await withdrawalWorld(t)
  const { deps, merchant } = world
  await deps.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [treasury])
  const lost = [
    `0x${'dead'.padStart(40, '0')}`,
    `0x${'1'.padStart(40, '0')}`,
    disperseContract.address,
    sweeperOf(treasury).address,
  ]
  for (const address of lost) {
    assert.deepEqual(
      [(await explain(world, address)).valid, (await explain(world, address)).lost],
      [false, 'fail'],
      address,
    )
    await assert.rejects(world.withdraw('10', { address }), { reason: 'address_not_allowed' }, address)
    const entry = {
      currency_id: 'eth',
      address,
      label: 'a',
      memo: '',
      beneficiary: '',
      wallet: '' as const,
      institution: '',
    }
    const [refused] = await tx(deps.pool, c => checkAddressBookEntries(c, merchant.id, [entry]))
    assert.ok(refused instanceof Refusal && refused.reason === 'address_not_allowed', address)
  }
})

test('names every check of a destination', async t => {
  const world = await withdrawalWorld(t)
  const { deps, merchant } = world
  const first = { ...clean, issuer: 'unknown', code: 'unknown', first_payment: 'warn' }
  assert.deepEqual(await explain(world, outside), { valid: true, ...first })
  assert.deepEqual(await explain(world, 'nothing'), { valid: false, form: 'fail' })
  const zero = `0x${'0'.repeat(40)}`
  assert.deepEqual(await explain(world, zero), { valid: false, lost: 'fail' })
  for (const [kind, text] of [
    ['evm', ` ${zero}`],
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
  ] as const)
    assert.throws(
      () => parseDestination({ kind }, text),
      ({ reason, text }: Refusal) => reason === 'bad_address' && /zero address/.test(text?.en ?? ''),
    )
  const token = await explain(world, eth.tokens[0]!.contract)
  assert.deepEqual([token.valid, token.token_contract], [false, 'fail'])

  const chain = deps.chains.get('eth') as unknown as Pick<Chain, 'issuerWord'> & { batches: object }
  chain.issuerWord = async (_, address) => (address.endsWith('bb') ? 'listed' : null)
  chain.batches = { isDeployed: async () => null }
  assert.equal((await explain(world, outside)).code, 'unknown', 'most nodes report neither')
  chain.batches = { isDeployed: async () => true }
  assert.deepEqual(await explain(world, outside), { valid: false, ...first, issuer: 'fail', code: 'warn' })
  await assert.rejects(world.withdraw('10'), { reason: 'address_not_allowed' })
  chain.issuerWord = async () => null
  deps.sanctioned = address => address === outside
  assert.equal((await explain(world, outside)).sanctions, 'fail')
  const detail = { en: 'it is on a sanctions list', 'zh-CN': '该地址在制裁名单上' }
  await assert.rejects(world.withdraw('10'), { reason: 'address_not_allowed', detail })
  deps.sanctioned = () => false
  chain.issuerWord = async () => Promise.reject(new Error('timeout'))
  assert.equal((await explain(world, outside)).issuer, 'unknown')
  const id = await world.withdraw('10')

  const poisoned = `${outside.slice(0, 10)}77${outside.slice(12)}`
  assert.equal((await explain(world, poisoned)).look_alike, 'fail', 'one that is requested counts')
  const items = [{ owner: 'withdrawal' as const, merchant_id: merchant.id, id, amount: 1n }]
  await tx(deps.pool, (_, uow) => withdrawalOwner(deps).final(uow, items, receipt))
  assert.equal((await explain(world, outside)).first_payment, 'pass')
  const found = await explainDestination(deps, { merchantId: merchant.id, chainId: 'eth', address: poisoned })
  const check = found.checks.find(each => each.check === 'look_alike')
  assert.deepEqual([found.valid, check?.similar], [false, { address: outside, from: 10, to: 12 }])
  await assert.rejects(
    world.withdraw('10', { address: poisoned }),
    ({ reason, data }: { reason: string; data: object }) => {
      assert.deepEqual([reason, data], ['address_not_allowed', check])
      return true
    },
  )
  assert.equal(
    (await explain(world, poisoned, (await testMerchant(deps)).id)).look_alike,
    'pass',
    'another merchant knows it',
  )
})
