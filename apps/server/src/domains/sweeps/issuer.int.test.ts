import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LyingToken, UsdtLike } from '@coffer/chains/evm/generated/contracts.ts'
import { type Abi, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { catchUp } from '../../testing/followed.ts'
import { rowsOf } from '../../testing/money.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { readCollectables } from './collect.ts'
import { readSweepStatus } from './store.ts'

const hour = 3_600
const usdt = 1_000_000n

/** A sweep world whose token's issuer can pause it and list addresses. */
async function world(t: Parameters<typeof sweepWorld>[0]) {
  const w = await sweepWorld(t)
  const issuer = async (functionName: string, ...args: unknown[]) => {
    await w.submit(w.token, encodeFunctionData({ abi: UsdtLike.abi as Abi, functionName, args }))
    await w.mine()
  }
  return {
    ...w,
    issuer,
    fixed: async () => (await assignFixedAddress(w.deps, w.merchant.id, w.definition.id)).address.toLowerCase(),
    incidents: () =>
      rowsOf(w.deps.owner, 'select kind, detail from incidents where resolved_at is null order by created_at'),
    status: async () => {
      const found = (await readSweepStatus(w.deps.pool, 0)).find(each => each.symbol === 'USDT')!
      return [found.unswept, found.blocked]
    },
    collectable: async () =>
      (await readCollectables(w.deps, w.merchant.id)).flatMap(each => each.tokens.map(({ amount }) => amount)),
  }
}

test('a sweep that a token logs in full though a part of it did not arrive counts as none', async t => {
  const from = `0x${'1d'.repeat(20)}` as const
  const token = getContractAddress({ from, nonce: 0n }).toLowerCase()
  const w = await sweepWorld(t, { more: () => [{ symbol: 'USDC', contract: token, decimals: 6 }] })
  const abi = LyingToken.abi as Abi
  const send = async (to: string | null, data: Hex) => {
    const terms = { gas: '0x4c4b40', gasPrice: '0xe8d4a51000' }
    await w.call('eth_sendTransaction', { from, ...(to && { to }), data, ...terms })
    await w.mine(CONFIRMATIONS)
  }
  const write = (functionName: string, ...args: unknown[]) =>
    send(token, encodeFunctionData({ abi, functionName, args }))
  await w.call('anvil_setBalance', from, `0x${(10n ** 20n).toString(16)}`)
  await w.call('anvil_impersonateAccount', from)
  await send(null, encodeDeployData({ abi, bytecode: LyingToken.bytecode as Hex, args: ['Lying', 'USDC', 0] }))
  const deposited = async () => {
    const { to } = await w.order('USDC')
    await catchUp(w.deps, w.chain)
    await write('issue', to, 100n * usdt)
    w.deps.pass(hour)
    return to
  }
  const honest = await deposited()
  await w.settle()
  const states = async () => (await w.sweeps()).map(each => [each.address, each.state])
  assert.deepEqual(await states(), [[honest, 'swept']])
  const kept = await deposited()
  await write('become', 1)
  await w.settle()
  assert.deepEqual(await states(), [
    [honest, 'swept'],
    [kept, 'failed'],
  ])
  const open = await rowsOf(w.deps.owner, `select kind, detail from incidents where kind = 'sweep_unmoved'`)
  assert.deepEqual(
    open.map(each => each.detail.token),
    [token],
  )
})

test('an address that the issuer lists is blocked: not collected, not swept daily, and free once it is delisted', async t => {
  const w = await world(t)
  const fixed = await w.fixed()
  const [good, batched] = await w.paid([200n * usdt, 100n * usdt])
  await w.pay([[{ token: w.token, to: fixed, amount: 50n * usdt }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(hour)
  for (const address of [batched, fixed]) await w.issuer('setBlackListed', address, true)
  await w.settle()
  assert.equal(await w.balance(good!), 1n)
  const open = await w.incidents()
  assert.deepEqual(
    open.map(({ kind, detail }) => [kind, detail.addresses[0].toLowerCase(), detail.asset_id, detail.amount]).sort(),
    [
      ['deposit_blocked', batched, 'eth:USDT', '100000000'],
      ['deposit_blocked', fixed, 'eth:USDT', '50000000'],
    ].sort(),
  )
  assert.deepEqual([await w.status(), await w.collectable()], [[0n, 150n * usdt], []])
  const sent = async () => (await w.outgoing()).length
  const before = await sent()
  for (let day = 0; day < 3; day++) {
    w.deps.pass(24 * hour)
    await w.settle()
  }
  assert.equal(await sent(), before, 'nothing is sent for them')
  for (const address of [batched, fixed]) await w.issuer('setBlackListed', address, false)
  w.deps.pass(24 * hour)
  await w.settle()
  assert.deepEqual([await w.balance(batched!), await w.balance(fixed)], [1n, 1n])
  assert.deepEqual([await w.incidents(), await w.status()], [[], [0n, 0n]])
})

for (const [way, addresses] of [
  ['many at once', 2],
  ['one by one', 0],
] as const)
  test(`sweeps of a paused token, ${way}, stop by one incident and go on once it moves again`, async t => {
    const w = await world(t)
    const all = await w.paid(Array.from({ length: addresses }, () => 100n * usdt))
    if (addresses === 0) {
      all.push(await w.fixed())
      await catchUp(w.deps, w.chain)
      await w.pay([[{ token: w.token, to: all[0]!, amount: 100n * usdt }]])
      await w.mine(CONFIRMATIONS)
      w.deps.pass(hour)
    }
    await w.issuer('setPaused', true)
    for (let i = 0; i < 3; i++) {
      await w.settle()
      w.deps.pass(60)
    }
    const [incident, ...more] = await w.incidents()
    assert.deepEqual([incident?.kind, incident?.detail.reason, more], ['issuer_stops', 'issuer: paused', []])
    const before = (await w.outgoing()).length
    for (let day = 0; day < 2; day++) {
      w.deps.pass(24 * hour)
      await w.settle()
    }
    assert.equal((await w.outgoing()).length, before, 'nothing is sent meanwhile')
    await w.issuer('setPaused', false)
    w.deps.pass(200)
    await w.settle()
    for (const address of all) assert.equal(await w.balance(address), 1n)
    w.deps.pass(200)
    await w.ask()
    await w.settle()
    assert.deepEqual(await w.incidents(), [])
  })

test('sweeps that stopped go on beside many addresses that the issuer has listed for longer', async t => {
  const w = await world(t)
  const [address] = await w.paid([100n * usdt])
  await w.issuer('setPaused', true)
  await w.settle()
  assert.equal((await w.incidents()).length, 1)
  await w.deps.owner.query(
    `insert into issuer_blocks (chain_id, asset_id, address, reason, created_at, asked_at)
     select chain_id, asset_id, '0x' || lpad(n::text, 40, '0'), 'issuer: listed', created_at, asked_at - 60
     from issuer_blocks cross join generate_series(1, 50) n`,
  )
  await w.issuer('setPaused', false)
  w.deps.pass(200)
  await w.settle()
  assert.equal(await w.balance(address!), 1n)
})
