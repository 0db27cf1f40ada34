import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressSet, type ChainView, type Transfer } from '@coffer/chains'
import { followedWorld, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { addressAt, eth, firstRow, rowsOf } from '../../testing/money.ts'
import { requestChainReread } from '../chains/request-reread.ts'
import { readRereadStart } from '../chains/store.ts'
import { findRereadStart } from '../console/incident-facts.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { findNativeDeposits } from './find-native-deposits.ts'
import { rereadChain } from './reread-chain.ts'

const token = eth.tokens[0]!.contract

/** A world with `miss`, which mines transfers that the nodes leave out, and `again`, which re-reads blocks. */
async function world(t: Parameters<typeof followedWorld>[0]) {
  const followed = await followedWorld(t)
  const { chain, deps } = followed
  /** The chain as a node reports it that changes the contents of blocks. */
  const lying = (change: (transfers: Transfer[]) => Transfer[]): ChainView =>
    withMethods(chain, {
      transfersIn: async (block, of) => {
        const { transfers, scanned } = await chain.transfersIn(block, of)
        return { transfers: change(transfers), scanned }
      },
      transfersRange: async (from, to, of) => {
        const scan = await chain.transfersRange(from, to, of)
        return { ...scan, transfers: change(scan.transfers) }
      },
    })
  const silent = lying(() => [])
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
    lying,
    again: async (from: number, most = 2, preview = false) => {
      await requestChainReread(deps, { chainId: eth.id, block: from, apply: !preview })
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
  const one = await pay()
  const other = await pay()
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
  assert.equal(await readRereadStart(deps.pool, eth.id), null)
  assert.equal((await payment(one.trade_no)).state, 'paid')
  assert.deepEqual(
    (await deposits(one.trade_no)).map(each => [each.state, each.late]),
    [['credited', false]],
  )
  assert.equal((await payment(other.trade_no)).paid_amount, '4000000')
  const before = await balance(`${eth.id}:USDT`)
  await again(1, 64)
  assert.equal(await balance(`${eth.id}:USDT`), before)
  assert.deepEqual(await callbacks(one.trade_no), ['payment.paid'])
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
  assert.equal(await findNativeDeposits(deps, chain), 1)
  await again(0)
  assert.equal((await payment(order.trade_no)).paid_amount, '4000000000000000')
  await assertBooksAgree(owner)
})

test('nothing is credited from a contradicted node, on another branch or while the chain is halted', async t => {
  const { miss, again, pay, deps, chain, owner } = await world(t)
  const order = await pay()
  await miss(order.address, 10_000_000n)
  t.mock.method(chain, 'agreesOn', async () => false)
  assert.deepEqual(await again(0), [0])
  t.mock.restoreAll()
  // The chain has left our last block, which the follower has not found yet.
  const { last_hash } = await firstRow(owner, 'select last_hash from chains where id = $1', [eth.id])
  const follow = (hash: string) => owner.query('update chains set last_hash = $2 where id = $1', [eth.id, hash])
  await follow('0xleft')
  assert.deepEqual(await again(0), [0])
  await follow(last_hash)
  await owner.query(`update chains set halted = 'x'`)
  assert.deepEqual(await again(0), [0])
  assert.deepEqual(await rowsOf(owner, 'select id from deposits'), [])
  assert.equal(await readRereadStart(deps.pool, eth.id), 0)
})

test('an amount or a receiver that was reported wrong is reversed and credited anew, with an incident each', async t => {
  const { again, pay, chain, owner, payment, deposits, balance, lying, catchUp, callbacks } = await world(t)
  const one = await pay()
  const other = await pay()
  const lie = (transfers: Transfer[]) =>
    transfers.map(each =>
      each.amount === 1_000_000n ? { ...each, to: one.address } : { ...each, amount: 10_000_000n },
    )
  chain.mine([[{ token, from: payer, to: one.address, amount: 4_000_000n }]])
  chain.mine([[{ token, from: payer, to: other.address, amount: 1_000_000n }]])
  for (let i = 1; i < eth.confirmations; i++) chain.mine()
  await catchUp(lying(lie))
  assert.equal((await payment(one.trade_no)).paid_amount, '11000000')
  await again(0, 64, true)
  assert.equal((await payment(one.trade_no)).paid_amount, '11000000')
  const [shown] = await rowsOf(owner, 'delete from incidents returning kind, detail')
  assert.deepEqual(
    [shown.kind, shown.detail.changes.map((each: { change: string; amount: string }) => [each.change, each.amount])],
    [
      'reread_preview',
      [
        ['replace', '10000000'],
        ['replace', '1000000'],
      ],
    ],
  )
  await again(0, 64)
  assert.deepEqual(
    [(await payment(one.trade_no)).paid_amount, (await payment(one.trade_no)).state],
    ['4000000', 'open'],
  )
  assert.equal((await payment(other.trade_no)).paid_amount, '1000000')
  assert.deepEqual((await deposits(one.trade_no)).map(each => [each.amount, each.state, each.replaced]).sort(), [
    ['1000000', 'undone', true],
    ['10000000', 'undone', true],
    ['4000000', 'credited', false],
  ])
  assert.equal(await balance(`${eth.id}:USDT`), '4980000')
  const incidents = await rowsOf(owner, `select kind, detail from incidents order by detail ->> 'amount'`)
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.amount, detail.mended]),
    [
      ['deposit_changed', '1000000', true],
      ['deposit_changed', '4000000', true],
    ],
  )
  await again(0, 64)
  assert.equal((await rowsOf(owner, 'select id from incidents')).length, 2)
  assert.equal(await balance(`${eth.id}:USDT`), '4980000')
  assert.ok((await callbacks(one.trade_no)).includes('payment.error'))
  await assertBooksAgree(owner)
})

test('a deposit stored under another place is found again, and the one left out is credited once', async t => {
  const { again, pay, chain, owner, payment, deposits, balance, lying, catchUp } = await world(t)
  const one = await pay()
  const other = await pay()
  chain.mine([[one, other].map(({ address }) => ({ token, from: payer, to: address, amount: 10_000_000n }))])
  for (let i = 1; i < eth.confirmations; i++) chain.mine()
  await catchUp(lying(transfers => transfers.slice(1)))
  // As an earlier version stored it: the first of its token that the node reported.
  await owner.query('update deposits set ordinal = -1')
  await again(0, 64)
  for (const order of [one, other]) assert.equal((await payment(order.trade_no)).state, 'paid')
  assert.deepEqual(
    [...(await deposits(one.trade_no)), ...(await deposits(other.trade_no))].map(each => each.ordinal),
    [0, 1],
  )
  assert.equal(await balance(`${eth.id}:USDT`), '19920000')
  await assertBooksAgree(owner)
})

test('what a node reported wrong while the deposit was unconfirmed is replaced by what is credited', async t => {
  const { pay, chain, owner, payment, deposits, lying, catchUp, confirm } = await world(t)
  const one = await pay()
  const other = await pay()
  const none = await pay()
  chain.mine([[{ token, from: payer, to: one.address, amount: 4_000_000n }]])
  chain.mine([[{ token, from: payer, to: other.address, amount: 10_000_000n }]])
  const lie = (transfers: Transfer[]) =>
    transfers.flatMap(each => [
      { ...each, ...(each.to === one.address ? { amount: 10_000_000n } : { to: one.address }) },
      { ...each, txid: `${each.txid.slice(0, -2)}00`, to: none.address },
    ])
  await catchUp(lying(lie))
  assert.equal((await payment(one.trade_no)).pending_amount, '20000000')
  await confirm()
  assert.deepEqual(
    await Promise.all([one, other, none].map(async each => (await payment(each.trade_no)).paid_amount)),
    ['4000000', '10000000', '0'],
  )
  assert.deepEqual(
    (await deposits(none.trade_no)).map(each => each.state),
    ['dropped', 'dropped'],
  )
  assert.deepEqual(
    (await rowsOf(owner, 'select kind from incidents')).map(each => each.kind),
    ['deposit_denied', 'deposit_denied'],
  )
  assert.equal((await payment(none.trade_no)).pending_amount, '0')
  await assertBooksAgree(owner)
})

test('a credit that the chain does not have at all is put in doubt', async t => {
  const { again, pay, chain, owner, payment, lying, catchUp } = await world(t)
  const order = await pay()
  chain.mine([[{ token, from: payer, to: order.address, amount: 4_000_000n }]])
  for (let i = 1; i < eth.confirmations; i++) chain.mine()
  await catchUp(lying(all => all.flatMap(each => [each, { ...each, txid: `${each.txid.slice(0, -2)}00` }])))
  assert.equal((await payment(order.trade_no)).paid_amount, '8000000')
  await again(0, 64)
  assert.equal((await payment(order.trade_no)).state, 'in_doubt')
  assert.deepEqual(
    (await rowsOf(owner, 'select kind from incidents')).map(each => each.kind),
    ['deposit_denied'],
  )
  await again(0, 64)
  assert.equal((await rowsOf(owner, 'select kind from incidents')).length, 1)
  await assertBooksAgree(owner)
})

test('the incident of a surplus says from where to read again, as a preview and then for good', async t => {
  const { miss, again, pay, payment, deps, chain, owner, confirm } = await world(t)
  const early = await pay()
  const order = await pay()
  await miss(early.address, 1n)
  await again(0)
  await confirm()
  await reconcileChain(deps, chain)
  const equal = (await firstRow(owner, 'select final_number from chains where id = $1', [eth.id])).final_number
  const parts = () =>
    rowsOf(owner, 'select *, coalesce(resolved_at, 0) as resolved_at from incidents order by created_at')
  await confirm()
  await miss(order.address, 10_000_000n)
  await reconcileChain(deps, chain)
  const [surplus, ...more] = await parts()
  assert.deepEqual([surplus.kind, surplus.detail.agreed, more], ['surplus', equal, []])
  const preview = await findRereadStart(deps.pool, await parts())
  assert.deepEqual(preview, { block: equal + 1, apply: false })
  await again(preview!.block, 100, true)
  assert.equal((await payment(order.trade_no)).state, 'open')
  const shown = await findRereadStart(deps.pool, await parts())
  assert.deepEqual(shown, { block: equal + 1, apply: true })
  await again(shown!.block, 100)
  assert.equal((await payment(order.trade_no)).state, 'paid')
  await owner.query('update incidents set resolved_at = 1')
  assert.equal(await findRereadStart(deps.pool, await parts()), null)
})
