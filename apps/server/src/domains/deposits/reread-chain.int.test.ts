import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressSet, type ChainView } from '@coffer/chains'
import { followedWorld, payer } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { addressAt, eth, firstRow, rowsOf } from '../../testing/money.ts'
import { requestReread, rereadFrom } from '../chains/store.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { findNative } from './find-native.ts'
import { rereadChain } from './reread-chain.ts'

const token = eth.tokens[0]!.contract

/** A world with `miss`, which mines transfers that the nodes leave out, and `again`, which re-reads blocks. */
async function world(t: Parameters<typeof followedWorld>[0]) {
  const followed = await followedWorld(t)
  const { chain, deps } = followed
  const silent = new Proxy<ChainView>(chain, {
    get(target, name) {
      if (name === 'transfersIn') return async () => ({ transfers: [], scanned: 0 })
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const ours = new AddressSet()
  for (let index = 0; index < 20; index++) ours.add(addressAt('evm', index))
  const filter = ours.filter([token], true)
  return {
    ...followed,
    /** Mines a transfer that the nodes leave out, and makes it final. */
    miss: async (to: string, amount: bigint, of: string | null = token) => {
      chain.mine([[{ token: of, from: payer, to, amount }]])
      for (let i = 1; i < eth.confirmations; i++) chain.mine()
      await followed.catchUp(silent)
    },
    again: async (from: number, most = 2) => {
      assert.ok(await requestReread(deps.pool, eth.id, from))
      const read: number[] = []
      for (let count = -1; count !== 0; ) {
        count = await rereadChain(deps, chain, { filter, most })
        read.push(count)
      }
      return read
    },
  }
}

test('a transfer that a node left out is credited once on re-reading, with lateness by its block time', async t => {
  const { miss, again, pay, payment, deps, chain, owner, callbacks, balance, deposits } = await world(t)
  const [one, other] = [await pay(), await pay()]
  await miss(one.address, 10_000_000n)
  deps.pass(3600)
  await miss(other.address, 4_000_000n)
  assert.deepEqual(await rowsOf(owner, 'select id from deposits'), [])
  const last = (await firstRow(owner, 'select final_number from chains where id = $1', [eth.id])).final_number
  const read = await again(0)
  assert.equal(
    read.reduce((sum, each) => sum + each),
    last + 1,
  )
  assert.equal(await rereadFrom(deps.pool, eth.id), null)
  assert.equal((await payment(one.trade_no)).state, 'paid')
  assert.deepEqual(
    (await deposits(one.trade_no)).map(each => [each.state, each.late]),
    [['credited', false]],
  )
  assert.equal((await payment(other.trade_no)).paid_amount, '4000000')
  const before = await balance(`${eth.id}:USDT`)
  await again(1, 64)
  assert.equal(await balance(`${eth.id}:USDT`), before)
  assert.deepEqual(await callbacks(one.trade_no), ['payment.seen', 'payment.paid'])
  const verdicts = (await reconcileChain(deps, chain)).map(each => each.verdict)
  assert.ok(
    verdicts.every(each => each === 'agrees'),
    verdicts.join(),
  )
  await assertBooksAgree(owner)
})

test('native coin found by balance is not credited again', async t => {
  const { miss, again, pay, deps, chain, owner, payment } = await world(t)
  const order = await pay({ token: 'ETH' })
  await miss(order.address, 4_000_000_000_000_000n, null)
  assert.equal(await findNative(deps, chain), 1)
  await again(0)
  assert.equal((await payment(order.trade_no)).paid_amount, '4000000000000000')
  await assertBooksAgree(owner)
})

test('nothing is credited from a contradicted node or while the chain is halted', async t => {
  const { miss, again, pay, deps, chain, owner } = await world(t)
  const order = await pay()
  await miss(order.address, 10_000_000n)
  t.mock.method(chain, 'agreesOn', async () => false)
  assert.deepEqual(await again(0), [0])
  t.mock.restoreAll()
  await owner.query(`update chains set halted = 'x'`)
  assert.deepEqual(await again(0), [0])
  assert.deepEqual(await rowsOf(owner, 'select id from deposits'), [])
  assert.equal(await rereadFrom(deps.pool, eth.id), 0)
})
