import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catchUp } from '../../testing/followed.ts'
import { rowsOf } from '../../testing/money.ts'
import { opNode } from '../../testing/op-node.ts'
import { CONFIRMATIONS } from '../../testing/payout-world.ts'
import { sweepWorld } from '../../testing/sweep-world.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { createSendingFor } from '../outgoing/kinds.ts'
import { walletOfRole } from '../outgoing/store.ts'
import { readCollectables } from './collect.ts'

const ether = 10n ** 18n

/** A fixed address that has been sent the gas for its sweep, which then has a nonce and no signature. */
async function fundedWorld(t: Parameters<typeof sweepWorld>[0]) {
  const w = await sweepWorld(t)
  const fixed = (await assignFixedAddress(w.deps, w.merchant.id, w.definition.id)).address.toLowerCase()
  await catchUp(w.deps, w.chain)
  await w.pay([[{ token: w.token, to: fixed, amount: 500_000_000n }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(3_600)
  await w.sweep()
  await w.pass()
  await w.mine(CONFIRMATIONS)
  await w.pass()
  await w.sweep()
  const head = (await w.call('eth_getBlockByNumber', 'latest', false)) as { baseFeePerGas: string }
  return {
    ...w,
    fixed,
    fee: BigInt(head.baseFeePerGas),
    signed: async () => (await w.attempts()).filter(each => each.from_address === fixed),
    setFee: async (price: bigint) => {
      await w.call('anvil_setNextBlockBaseFeePerGas', `0x${price.toString(16)}`)
      await w.call('anvil_mine', '0x1')
    },
  }
}

test('a sweep whose gas no longer suffices waits until fees fall', async t => {
  const w = await fundedWorld(t)
  for (const [price, attempts] of [
    [w.fee * 100n, 0],
    [w.fee, 1],
  ] as const) {
    await w.setFee(price)
    await w.pass()
    assert.equal((await w.signed()).length, attempts)
  }
  await w.settle()
  assert.equal(await w.balance(w.fixed), 1n)
})

test('a sweep pays what its address has, and is sent more gas once fees have stayed high', async t => {
  const w = await fundedWorld(t)
  const coins = await w.chain.balanceOf(null, w.fixed)
  const [{ gas }] = await rowsOf(w.deps.owner, 'select gas from outgoing where from_address = $1', [w.fixed])
  const most = coins / BigInt(gas)
  await w.setFee(most / 2n)
  await w.pass()
  assert.deepEqual(
    (await w.signed()).map(each => each.max_fee),
    [String(most)],
  )
  await w.call('anvil_dropAllTransactions')
  const sent = async () => (await rowsOf(w.deps.owner, `select 1 from outgoing where intent ->> 'kind' = 'gas'`)).length
  await w.setFee(most * 20n)
  await w.sweep()
  assert.equal(await sent(), 1, 'fees may fall')
  w.deps.pass(600)
  await Promise.all(Array.from({ length: 4 }, () => w.sweep()))
  await w.sweep()
  assert.equal(await sent(), 2)
  await w.pass()
  assert.equal((await w.signed()).length, 1)
  await w.mine(CONFIRMATIONS)
  await w.setFee(most * 20n)
  await w.pass()
  assert.equal((await w.signed()).length, 2)
  await w.settle()
  assert.equal(await w.balance(w.fixed), 1n)
  assert.equal((await rowsOf(w.deps.owner, `select 1 from deposits where from_address = $1`, [w.hot])).length, 0)
})

test('the sweeper is sent more gas when fees rise before its sweep is signed', async t => {
  const w = await sweepWorld(t)
  await w.paid([500_000_000n, 500_000_000n])
  await w.sweep()
  await w.pass()
  await w.mine(CONFIRMATIONS)
  await w.pass()
  await w.sweep()
  const { address } = (await walletOfRole(w.deps.pool, 'eth', 'sweeper'))!
  const [{ gas }] = await rowsOf(w.deps.owner, 'select gas from outgoing where from_address = $1', [address])
  const { maxFeePerGas } = await w.chain.fees()
  await w.call('anvil_setBalance', address, `0x${(BigInt(gas) * maxFeePerGas).toString(16)}`)
  await w.call('anvil_setNextBlockBaseFeePerGas', `0x${(maxFeePerGas * 10n).toString(16)}`)
  await w.call('anvil_mine', '0x1')
  await w.pass()
  await w.settle()
  w.deps.pass(60)
  await w.settle()
  assert.deepEqual(
    (await w.sweeps()).map(each => each.state),
    ['swept', 'swept'],
  )
})

test('a sweep that the signer will never sign is cancelled by its own address, and tried again in a day', async t => {
  const w = await fundedWorld(t)
  const { assets } = w.signer.policy.chains.eth!
  const { [w.token]: limit, ...others } = assets
  w.signer.policy.chains.eth!.assets = others
  await w.settle()
  const states = () => rowsOf(w.deps.owner, 'select state from sweeps order by created_at, id')
  assert.deepEqual(await states(), [{ state: 'failed' }])
  assert.deepEqual(await rowsOf(w.deps.owner, 'select 1 from wallets where halted is not null'), [])
  assert.deepEqual(
    (await w.signed()).map(each => each.kind),
    ['cancel'],
  )
  w.signer.policy.chains.eth!.assets = { ...others, [w.token]: limit! }
  w.deps.pass(86_400)
  await w.settle()
  assert.deepEqual(await states(), [{ state: 'failed' }, { state: 'swept' }])
  assert.equal(await w.balance(w.fixed), 1n)
})

/** An address whose native coin is to be swept: the sweep has a nonce and no signature. */
async function coinWorld(t: Parameters<typeof sweepWorld>[0]) {
  const w = await sweepWorld(t)
  const [to] = (await w.paid([ether], 'ETH')) as [string]
  return { ...w, to, states: () => rowsOf(w.deps.owner, 'select asset_id, state from sweeps order by created_at, id') }
}

test('native coin is swept as most nodes report it, not one', async t => {
  const w = await coinWorld(t)
  t.mock.method(w.chain, 'balanceOf', async () => 300n * ether)
  await w.sweep()
  t.mock.restoreAll()
  await w.settle()
  assert.deepEqual(await w.states(), [{ asset_id: 'eth:ETH', state: 'swept' }])
})

for (const left of [0n, ether / 100n])
  test(`a sweep of native coin of which ${left} is left is cancelled, and holds up no later one`, async t => {
    const w = await coinWorld(t)
    await w.sweep()
    await w.call('anvil_setBalance', w.to, `0x${left.toString(16)}`)
    await w.pass()
    assert.deepEqual(await w.attempts(), [])
    await w.pay([[{ token: w.token, to: w.to, amount: 500_000_000n }]])
    await w.mine(CONFIRMATIONS)
    for (let hour = 0; hour < 3; hour++) {
      w.deps.pass(3_600)
      await w.settle()
    }
    assert.deepEqual(await w.states(), [
      { asset_id: 'eth:ETH', state: 'failed' },
      { asset_id: 'eth:USDT', state: 'swept' },
    ])
    assert.equal(await w.balance(w.to), 1n)
    assert.deepEqual(await rowsOf(w.deps.owner, `select 1 from outgoing where state not in ('final', 'void')`), [])
  })

test('a sweep whose coin left the chain after it was signed is cancelled', async t => {
  const w = await coinWorld(t)
  await w.sweep()
  await w.pass()
  await w.call('anvil_dropAllTransactions')
  await w.call('anvil_setBalance', w.to, `0x${(ether / 100n).toString(16)}`)
  w.deps.pass(600)
  await w.settle()
  assert.deepEqual(await w.states(), [{ asset_id: 'eth:ETH', state: 'failed' }])
})

test('the coin of an address pays for one sweep at a time', async t => {
  const w = await coinWorld(t)
  await w.pay([[{ token: w.token, to: w.to, amount: 500_000_000n }]])
  await w.mine(CONFIRMATIONS)
  w.deps.pass(3_600)
  // Gas for the token is on its way, then arrives; native coin is chosen in the same passes.
  await w.sweep()
  assert.equal((await w.sweeps()).length, 2)
  for (let i = 0; i < 4; i++) {
    await w.pass()
    await w.sweep()
    const own = await rowsOf(
      w.deps.owner,
      `select 1 from outgoing where from_address = $1 and state in ('assigned', 'sent')`,
      [w.to],
    )
    assert.ok(own.length <= 1, 'one at a time')
    await w.mine(1)
  }
  await w.settle()
  assert.deepEqual(new Set((await w.states()).map(each => each.state)), new Set(['swept']))
  assert.equal(await w.balance(w.to), 1n)
})

test('on an OP chain sweeps keep what its data and its operator cost, and quotes have both', async t => {
  const ofData = 3n * 10n ** 14n
  const ofOperator = 10n ** 14n
  const w = await sweepWorld(t, { surcharge: { stack: 'op', most: '0.001' } })
  const fee = await createSendingFor(w.chain).usualFee(true)
  for (const node of w.proxies) node.intercept = opNode({ ofData, ofOperator })
  // Without an oracle the most is assumed.
  assert.equal(fee - (await createSendingFor(w.chain).usualFee(true)), 10n ** 15n - ofData - ofOperator)
  await w.paid([ether], 'ETH')
  // Two transactions are counted for each address.
  const { gas_token, gas: shown } = (await readCollectables(w.deps, w.merchant.id))[0]!
  assert.ok(gas_token === 'ETH' && Number(shown) > 0.0008, shown)
  await w.sweep()
  const [{ intent, gas }] = await w.outgoing()
  const { maxFeePerGas } = await w.chain.fees()
  assert.equal(intent.kind, 'sweep')
  assert.ok(ether - BigInt(intent.amount) - BigInt(gas) * maxFeePerGas >= ofData + ofOperator)
  await w.settle()
  assert.ok(
    (await w.attempts()).every(each => each.refused === null),
    'no node refused one',
  )
})

test('what sweeping costs by its data is not swept', async t => {
  const w = await sweepWorld(t, { surcharge: { stack: 'op', most: '0.001' } })
  for (const node of w.proxies) node.intercept = opNode({ ofData: 4n * 10n ** 14n, ofOperator: 0n })
  // 2.2 USDT at 2,500 USDT an ether: above what the gas costs, below what the data does.
  await w.paid([88n * 10n ** 13n], 'ETH')
  w.deps.pass(8 * 86_400)
  assert.equal((await readCollectables(w.deps, w.merchant.id))[0]!.small, 1)
  await w.sweep()
  assert.deepEqual(await w.outgoing(), [])
  for (const node of w.proxies) node.intercept = opNode({ ofData: 0n, ofOperator: 0n })
  await w.sweep()
  assert.equal((await w.outgoing()).length, 1)
})

test('a quote on a chain whose gas pays for data has its part', async t => {
  const w = await sweepWorld(t)
  const before = await createSendingFor(w.chain).usualFee(true)
  Object.assign(w.definition, { layer1Gas: true })
  for (const node of w.proxies)
    node.intercept = ({ method, params: [call] }) => {
      const { to, data } = (call ?? {}) as { to?: string; data?: string }
      if (method !== 'eth_call' || to !== '0x00000000000000000000000000000000000000c8') return undefined
      assert.match(data!, /^0x77d488a2/)
      return { result: `0x${[65_000n, 1n, 1n].map(each => each.toString(16).padStart(64, '0')).join('')}` }
    }
  assert.equal(await createSendingFor(w.chain).usualFee(true), before * 2n)
  // Estimates of nodes have it already: what is paid is not counted twice.
  const estimated = await w.chain.gasFor({ from: w.hot, token: null, to: w.receiver(7), amount: 1n })
  assert.equal(estimated, 21_000n)
})
