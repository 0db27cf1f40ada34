import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainAdapters } from '@coffer/chains'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { rowsOf } from '../../testing/money.ts'
import { tronWorld } from '../../testing/tron-world.ts'
import { requestChainReread } from '../chains/request-reread.ts'
import { findRereadStart } from '../console/incident-facts.ts'
import { rereadChain } from '../deposits/reread-chain.ts'
import { reconcileChain } from './reconcile.ts'
import type { SurplusReadings } from './suspects.ts'

type Raw = Record<string, unknown>
type World = Awaited<ReturnType<typeof tronWorld>>

const ten = 10_000_000n

/** Makes two of three nodes leave out the logs of all transactions. */
function hide(w: World) {
  for (const facade of w.facades.slice(0, 2))
    facade.alter = (what, answer) => {
      if (what === 'eth_getLogs') return []
      const without = ({ log, ...info }: Raw) => info
      return what === '/wallet/gettransactioninfobyblocknum' ? (answer as Raw[]).map(without) : answer
    }
}

/** Readings of balances one after the other, each after more final blocks. */
function readings(w: World) {
  const suspects: SurplusReadings = new Map()
  return async () => {
    await w.confirm()
    await w.mine(1)
    await w.catchUp()
    const usdt = `${w.definition.id}:USDT`
    return (await reconcileChain(w.deps, w.chain, suspects)).find(each => each.asset_id === usdt)!
  }
}

const parts = (w: World) =>
  rowsOf(w.deps.owner, 'select *, coalesce(resolved_at, 0) as resolved_at from incidents order by created_at')

/** Names honest nodes, and reads again from where the incident says. */
async function readAgain(w: World, before: number) {
  for (const facade of w.facades) facade.reset()
  const from = (await findRereadStart(w.deps.pool, await parts(w)))!
  assert.equal(from.apply, false)
  assert.ok(from.block <= before, `${from.block} is after block ${before}, in which it arrived`)
  const filter = { tokens: [w.token], native: false, isOurs: () => true }
  for (const apply of [false, true]) {
    const { block } = (await findRereadStart(w.deps.pool, await parts(w)))!
    assert.equal(block, from.block)
    await requestChainReread(w.deps, { chainId: w.definition.id, block, apply })
    await rereadChain(w.deps, w.chain, { filter, most: 1_000 })
  }
  return from.block
}

test('USDT that two of three nodes hide shows as a surplus at its address, and is credited once they are replaced', async t => {
  const w = await tronWorld(t, 3)
  const order = await w.order()
  const reading = readings(w)
  await reading()
  await reading()
  hide(w)
  await w.pay([[{ token: w.token, to: order.to, amount: ten }]])
  const { number } = await w.chain.head()
  assert.equal((await reading()).verdict, 'agrees', 'it may not have been seen yet')
  const { verdict, unseen } = await reading()
  assert.deepEqual([verdict, unseen], ['surplus', [chainAdapters.tron.address.show(order.to)]])
  assert.notEqual(await w.state(order.trade_no), 'paid')
  await readAgain(w, number)
  assert.deepEqual([await w.state(order.trade_no), await w.balance('USDT')], ['paid', '9960000'])
  await assertBooksAgree(w.deps.owner)
})

test('what two of three nodes hide at an address with other deposits shows too, and only that is read again', async t => {
  const w = await tronWorld(t, 3)
  const order = await w.order()
  const other = await w.order()
  const reading = readings(w)
  await w.pay([[{ token: w.token, to: order.to, amount: ten }], [{ token: w.token, to: other.to, amount: ten }]])
  for (let i = 0; i < 3; i++) assert.equal((await reading()).verdict, 'agrees')
  const { number: seen } = await w.chain.head()
  hide(w)
  await w.pay([[{ token: w.token, to: order.to, amount: 5n }]])
  const { number } = await w.chain.head()
  const { verdict, equalAt } = await reading()
  assert.equal(verdict, 'agrees', 'it may not have been seen yet')
  assert.ok(equalAt !== null && equalAt < number)
  const found = await reading()
  assert.deepEqual(
    [found.verdict, found.unseen, found.found - found.chain, found.equalAt],
    ['surplus', [chainAdapters.tron.address.show(order.to)], 5n, null],
  )
  const from = await readAgain(w, number)
  assert.ok(from > seen - 10, 'after the last block at which nothing was left out')
  assert.equal((await w.deposits(order.trade_no)).length, 2)
  for (let i = 0; i < 2; i++) assert.equal((await reading()).verdict, 'agrees')
  await assertBooksAgree(w.deps.owner)
})
