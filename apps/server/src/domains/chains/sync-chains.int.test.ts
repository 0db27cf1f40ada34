import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chain, ChainDefinition } from '@coffer/chains'
import { testMerchant } from '../../testing/merchants.ts'
import { bsc, eth, moneyWorld, rowsOf } from '../../testing/money.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { syncChains } from './sync-chains.ts'

const chainsOf = (...definitions: ChainDefinition[]) =>
  new Map(definitions.map(definition => [definition.id, { definition } as Chain]))

test('configured chains and assets are enabled at every start, all others disabled', async t => {
  const { deps, owner } = await moneyWorld(t)
  const enabled = async () =>
    (await rowsOf(owner, 'select id from assets where enabled order by id')).map(row => row.id)
  const all = ['bsc:BNB', 'bsc:USDT', 'eth:ETH', 'eth:USDC', 'eth:USDT']
  assert.deepEqual(await enabled(), all)
  await Promise.all([1, 2, 3].map(() => syncChains(deps)))
  assert.deepEqual(await enabled(), all)
  const fewer = { ...eth, confirmations: 9, tokens: eth.tokens.slice(0, 1) }
  await syncChains({ ...deps, chains: chainsOf(fewer) })
  assert.deepEqual(await enabled(), ['eth:ETH', 'eth:USDT'])
  assert.deepEqual(
    await rowsOf(owner, `select id, enabled, definition -> 'confirmations' as depth from chains order by id`),
    [
      { id: bsc.id, enabled: false, depth: 2 },
      { id: eth.id, enabled: true, depth: 9 },
    ],
  )
  await syncChains(deps)
  assert.deepEqual(await enabled(), all)
})

test('a start locks nothing that it does not change', { timeout: 180_000 }, async t => {
  const { deps, owner } = await moneyWorld(t)
  const c = await owner.connect()
  try {
    await c.query('begin')
    await c.query('select from chains for update')
    await c.query('select from assets for update')
    await syncChains(deps)
    await c.query('rollback')
  } finally {
    c.release()
  }
})

test("a token's decimals never change", async t => {
  const { deps } = await moneyWorld(t)
  const tokens = eth.tokens.map(token => ({ ...token, decimals: 18 }))
  await assert.rejects(syncChains({ ...deps, chains: chainsOf({ ...eth, tokens }) }), {
    name: 'OperatorProblem',
    message: /has 6 decimals/,
  })
})

test('a symbol never changes, nor can two tokens swap contracts', async t => {
  const { deps, owner } = await moneyWorld(t)
  const [usdt, usdc] = eth.tokens as [(typeof eth.tokens)[0], (typeof eth.tokens)[0]]
  const before = await rowsOf(owner, 'select * from assets order by id')
  for (const changed of [
    { ...eth, tokens: [{ ...usdt, symbol: 'USDT0' }, usdc] },
    { ...eth, native: { symbol: 'POL', decimals: 18 } },
    {
      ...eth,
      tokens: [
        { ...usdt, contract: usdc.contract },
        { ...usdc, contract: usdt.contract },
      ],
    },
  ]) {
    await assert.rejects(syncChains({ ...deps, chains: chainsOf(changed, bsc) }), {
      name: 'OperatorProblem',
      message: /of \(eth, .*\) has another symbol/,
    })
  }
  assert.deepEqual(await rowsOf(owner, 'select * from assets order by id'), before)
})

test('a contract can be corrected until it has a deposit', async t => {
  const world = await moneyWorld(t)
  const [usdt, usdc] = eth.tokens as [(typeof eth.tokens)[0], (typeof eth.tokens)[0]]
  const start = (contract: string) =>
    syncChains({ ...world.deps, chains: chainsOf({ ...eth, tokens: [{ ...usdt, contract }, usdc] }, bsc) })
  await start(`0x${'ab'.repeat(20)}`)
  await start(usdt.contract)
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await start(usdt.contract)
  await assert.rejects(start(`0x${'ab'.repeat(20)}`), { name: 'OperatorProblem', message: /eth:USDT has deposits/ })
  await world.eth.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
})

test('fixed addresses require an active chain and differ between merchants', async t => {
  const world = await moneyWorld(t)
  const { deps, merchant } = world
  const other = await testMerchant(deps)
  const [mine, theirs] = await Promise.all([merchant, other].map(({ id }) => assignFixedAddress(deps, id, eth.id)))
  assert.notEqual(mine!.address, theirs!.address)
  const ask = (chainId: string) => assignFixedAddress(deps, merchant.id, chainId)
  await assert.rejects(ask('none'), { reason: 'currency_not_exist' })
  await world.owner.query(`update chains set halted = 'x' where id = $1`, [bsc.id])
  await assert.rejects(ask(bsc.id), { reason: 'chain_halted', retryAfter: 900 })
  await world.owner.query('update chains set enabled = false where id = $1', [eth.id])
  await assert.rejects(ask(eth.id), { reason: 'currency_not_exist' })
})
