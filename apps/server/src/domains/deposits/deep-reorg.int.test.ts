import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import { followedWorld, payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, moneyWorld } from '../../testing/money.ts'
import { chooseAsset } from '../payments/choose-asset.ts'
import { applyReorg } from './apply-reorg.ts'
import { resumeChain } from './resume-chain.ts'

const token = eth.tokens[0]!.contract
const usdt = `${eth.id}:USDT`
const chainRow = (world: { owner: Awaited<ReturnType<typeof followedWorld>>['owner'] }) =>
  firstRow(world.owner, 'select * from chains where id = $1', [eth.id])

test('a reorg below the final block halts the chain until an operator resumes it', async t => {
  const world = await followedWorld(t)
  const order = await world.pay()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  for (let i = 0; i < 5; i++) world.chain.mine()
  await world.catchUp()
  world.chain.reorg(6, 'again', 8)
  await world.catchUp()
  const row = await chainRow(world)
  assert.match(row.halted, /^deep_reorg /)
  assert.equal((await world.payment(order.trade_no)).state, 'in_doubt')
  await world.catchUp()
  assert.deepEqual(await resumeChain(world.deps, { chainId: eth.id }), {
    number: 0,
    hash: (await world.chain.blockAt(0))!.hash,
  })
  await world.catchUp()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

for (const [left, isDeep] of [
  [eth.confirmations - 1, false],
  [eth.confirmations, true],
  [eth.confirmations + 1, true],
] as const)
  test(`at ${eth.confirmations} confirmations, a reorg of ${left} blocks ${isDeep ? 'halts the chain' : 'is unwound'}`, async t => {
    const world = await followedWorld(t)
    const order = await world.pay()
    for (let i = 0; i < 4; i++) world.chain.mine()
    world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
    for (let i = 1; i < eth.confirmations; i++) {
      await world.catchUp()
      assert.equal((await world.payment(order.trade_no)).state, 'open')
      world.chain.mine()
    }
    await world.catchUp()
    assert.equal((await world.payment(order.trade_no)).state, 'paid')
    world.chain.reorg(left, 'lost', left + 1)
    await world.catchUp()
    assert.equal((await chainRow(world)).halted !== null, isDeep)
    assert.equal((await world.payment(order.trade_no)).state, isDeep ? 'in_doubt' : 'paid')
    await assertBooksAgree(world.owner)
  })

for (const [blocks, left] of [
  [40, 18],
  [520, 120],
] as const)
  test(`a reorg of ${left} of ${blocks} blocks that were read in ranges doubts exactly the deposits that left the chain`, async t => {
    const world = await followedWorld(t)
    const orders = [await world.pay(), await world.pay(), await world.pay()]
    const [deepest, orphaned, undone] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]]
    const send = ({ address: to }: (typeof orders)[0]) => [[{ token, from: payer, to, amount: 10_000_000n }]]
    for (let i = 1; i <= blocks; i++)
      world.chain.mine(
        i === blocks - left ? send(deepest) : i === blocks - left + 2 ? [...send(orphaned), ...send(undone)] : [],
      )
    await world.catchUp()
    const doubted = () =>
      Promise.all(orders.map(async each => (await world.deposits(each.trade_no)).map(row => [row.state, row.doubted])))
    const sure = [['credited', false]]
    const unsure = [['credited', true]]
    assert.deepEqual(await doubted(), [sure, sure, sure])
    world.chain.reorg(left, 'lost', left + 2)
    await world.catchUp()
    assert.deepEqual(await doubted(), [sure, unsure, unsure])
    const { number } = (await resumeChain(world.deps, { chainId: eth.id }))!
    assert.equal(number, blocks - left)
    await world.catchUp()
    assert.deepEqual([(await chainRow(world)).halted, (await chainRow(world)).last_number], [null, blocks + 2])
    assert.deepEqual(await doubted(), [sure, unsure, unsure])
    await assertBooksAgree(world.owner)
  })

test('a chain that nodes took for another one goes on from its own blocks when it is resumed', async t => {
  const world = await followedWorld(t)
  const order = await world.pay()
  for (let i = 1; i <= 300; i++)
    world.chain.mine(i === 280 ? [[{ token, from: payer, to: order.address, amount: 10_000_000n }]] : [])
  await world.catchUp()
  const other = new FakeChain({ definition: eth, seed: 2, time: world.deps.clock() })
  for (let i = 1; i <= 310; i++) other.mine()
  await world.catchUp(other)
  const isDoubted = async () => (await world.deposits(order.trade_no))[0].doubted
  assert.match((await chainRow(world)).halted, /^deep_reorg_whole$/)
  assert.equal(await isDoubted(), true)
  await resumeChain(world.deps, { chainId: eth.id })
  await world.catchUp()
  assert.deepEqual([(await chainRow(world)).halted, (await chainRow(world)).last_number], [null, 300])
  assert.equal(await isDoubted(), false)
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

test('another token can be chosen for a payment whose deposit was dropped', async t => {
  const world = await moneyWorld(t)
  const { trade_no } = await world.pay({ chain: undefined, token: undefined })
  const choose = async (symbol: string) => {
    await chooseAsset(world.deps, { tradeNo: trade_no, assetId: `${eth.id}:${symbol}` })
    return world.payment(trade_no)
  }
  await world.eth.add([{ to: (await choose('USDT')).address, amount: 10_000_000n }])
  await applyReorg(world.deps, { chainId: eth.id, ...world.eth.reorg(1) })
  const chosen = await choose('USDC')
  assert.equal(chosen.state, 'dropped')
  const usdc = eth.tokens.find(each => each.symbol === 'USDC')!.contract
  await world.eth.add([{ token: usdc, to: chosen.address, amount: 10_000_000n }])
  await world.eth.confirm()
  const row = await world.payment(trade_no)
  assert.deepEqual([row.state, row.exception, row.asset_id], ['paid', 'none', `${eth.id}:USDC`])
  await assertBooksAgree(world.owner)
})
