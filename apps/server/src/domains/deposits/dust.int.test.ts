import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { registry } from '../../kit/metrics.ts'
import { catchUp, followedWorld, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { readCandidates } from '../sweeps/store.ts'
import { findNativeDeposits } from './find-native-deposits.ts'
import { updateDustMetrics } from './metrics.ts'
import { rereadChain } from './reread-chain.ts'

const usdt = eth.tokens[0]!.contract
/** 0.01 USDT. */
const minimum = 10_000n

/** A world where deposits of USDT are at least 0.01, and those of ETH at least 1,000 wei. */
async function dustWorld(t: TestContext) {
  const world = await followedWorld(t)
  await world.owner.query(
    `update assets set minimum = case when contract is null then 1000 else 10000 end where chain_id = 'eth'`,
  )
  /** Mines a block with these amounts, each in a transaction of its own. */
  const mine = async (to: string, amounts: readonly bigint[], token: string | null = usdt) => {
    world.chain.mine(amounts.map(amount => [{ token, from: payer, to, amount }]))
    await world.catchUp()
  }
  const send = async (to: string, ...amounts: bigint[]) => {
    await mine(to, amounts)
    await world.confirm()
  }
  return {
    ...world,
    mine,
    send,
    dust: async (address: string) => {
      const row = await firstRow(world.owner, 'select n, amount, aside from dust where address = $1', [address])
      return row && [Number(row.n), Number(row.amount), Number(row.aside)]
    },
    amounts: async (tradeNo: string) => (await world.deposits(tradeNo)).map(each => Number(each.amount)),
    state: async (tradeNo: string) => {
      const { state, exception, paid_amount } = await world.payment(tradeNo)
      return [state, exception, Number(paid_amount)]
    },
    verdicts: async () => (await reconcileChain(world.deps, world.chain)).map(each => each.verdict),
  }
}

test('6,000 transfers of one unit to a paid and to an open order make no row each, and change neither', async t => {
  const w = await dustWorld(t)
  const paid = await w.pay()
  const open = await w.pay()
  await w.send(paid.address, 10_000_000n)
  const rows = async () =>
    firstRow(
      w.owner,
      `select (select count(*) from deposits)::int as deposits, (select count(*) from payment_history)::int as history,
         (select count(*) from callbacks)::int as callbacks`,
    )
  const before = await rows()
  for (let n = 0; n < 6; n++)
    for (const { address } of [paid, open])
      await w.mine(
        address,
        Array.from({ length: 500 }, () => 1n),
      )
  await w.confirm()
  assert.deepEqual(await rows(), before)
  assert.deepEqual(
    [await w.dust(paid.address), await w.dust(open.address)],
    [
      [3_000, 3_000, 3_000],
      [3_000, 3_000, 3_000],
    ],
  )
  await updateDustMetrics(w.deps.pool)
  assert.match(await registry.getSingleMetricAsString('coffer_dust_transfers'), /\{chain="eth",asset="USDT"\} 6000$/m)
  const { id: assetId } = (await firstRow(w.owner, `select id from assets where chain_id = 'eth' and symbol = 'USDT'`))!
  const swept = await readCandidates(w.deps.pool, {
    chainId: 'eth',
    assetId,
    kind: 'evm',
    isVault: false,
    sweeper: '',
    now: w.deps.clock(),
  })
  assert.deepEqual(
    swept.map(each => [each.address, each.amount]),
    [[paid.address, 10_000_000n]],
    'what is only dust is not swept',
  )
  assert.deepEqual(await w.state(paid.trade_no), ['paid', 'none', 10_000_000])
  assert.deepEqual(await w.state(open.trade_no), ['open', 'none', 0])
  assert.deepEqual(await w.verdicts(), ['agrees', 'agrees', 'agrees'])
  await w.send(open.address, 10_000_000n)
  assert.deepEqual(await w.state(open.trade_no), ['paid', 'none', 10_000_000])
  await assertBooksAgree(w.owner)
})

test('what is kept aside becomes one deposit once it reaches the minimum', async t => {
  const w = await dustWorld(t)
  const order = await w.pay()
  await w.send(order.address, 4_000n, 5_999n)
  assert.deepEqual([await w.amounts(order.trade_no), await w.dust(order.address)], [[], [2, 9_999, 9_999]])
  await w.send(order.address, 1n)
  assert.deepEqual([await w.amounts(order.trade_no), await w.dust(order.address)], [[10_000], [3, 10_000, 0]])
  const [deposit] = await w.deposits(order.trade_no)
  assert.match(deposit.txid, /^reconciled:/)
  await w.send(order.address, 9_980_000n)
  await w.send(order.address, 10_000n)
  assert.deepEqual(await w.state(order.trade_no), ['paid', 'none', 10_000_000])
  assert.deepEqual(await w.verdicts(), ['agrees', 'agrees', 'agrees'])

  // Read again, it is neither counted again nor missed.
  await w.owner.query(
    `update chains set reread_from = 1 where id = 'eth'; insert into switches values ('reread:eth', 'test', 0)`,
  )
  const filter = { tokens: [usdt], native: true, isOurs: () => true }
  assert.ok((await rereadChain(w.deps, w.chain, { filter, most: 64 })) > 0)
  assert.deepEqual(
    [await w.dust(order.address), await rowsOf(w.owner, 'select kind from incidents')],
    [[3, 10_000, 0], []],
  )
  await assertBooksAgree(w.owner)
})

test('a transfer below the minimum counts if it is what its payment still needs', async t => {
  const w = await dustWorld(t)
  const small = await w.pay({ amount: '0.01' })
  const rest = await w.pay()
  const first = await w.pay()
  const together = await w.pay()
  await w.owner.query('update payments set amount = 9000 where trade_no = $1', [small.trade_no])
  await w.send(small.address, 9_000n)
  await w.send(rest.address, 9_999_500n)
  await w.send(rest.address, 500n)
  await w.send(first.address, 500n)
  await w.send(first.address, 9_999_500n)
  await w.send(together.address, 500n, 9_999_500n)
  const paid = [small, rest, first, together].map(each => w.state(each.trade_no))
  const whole = ['paid', 'none', 10_000_000]
  assert.deepEqual(await Promise.all(paid), [['paid', 'none', 9_000], whole, whole, whole])
  // Once it is paid, more of the same is set aside.
  await w.send(rest.address, 500n)
  assert.deepEqual([await w.state(rest.trade_no), await w.dust(rest.address)], [whole, [1, 500, 500]])
  await assertBooksAgree(w.owner)
})

test('dust is counted once when its block is replaced', async t => {
  const w = await dustWorld(t)
  const order = await w.pay()
  await w.mine(order.address, [6_000n])
  w.chain.reorg(1, 'again')
  await w.catchUp()
  await w.mine(order.address, [7_000n])
  w.chain.reorg(1, 'lost', 2)
  await w.confirm()
  assert.deepEqual([await w.dust(order.address), await w.amounts(order.trade_no)], [[1, 6_000, 6_000], []])
  await assertBooksAgree(w.owner)
})

test('at a fixed address it becomes a recharge', async t => {
  const w = await dustWorld(t)
  const { address } = await assignFixedAddress(w.deps, w.merchant.id, eth.id)
  const to = address.toLowerCase()
  await w.send(to, 6_000n)
  await w.send(to, 6_000n)
  assert.deepEqual(await rowsOf(w.owner, 'select amount::int, kind, state from deposits'), [
    { amount: 12_000, kind: 'recharge', state: 'credited' },
  ])
  await assertBooksAgree(w.owner)
})

test('a shortage is noticed beside dust', async t => {
  const w = await dustWorld(t)
  const order = await w.pay()
  await w.send(order.address, 10_000_000n, 5_000n)
  const robbed = withMethods(w.chain, {
    certainBalances: async (token, addresses, block) =>
      (await w.chain.certainBalances(token, addresses, block)).map(each => (each > 0n ? each - 1n : each)),
  })
  const of = (await reconcileChain(w.deps, robbed)).find(each => each.asset_id === 'eth:USDT')!
  assert.deepEqual([of.verdict, of.aside], ['shortage', 5_000n])
})

test('native coin below the minimum is found by its balance once it is more', async t => {
  const w = await dustWorld(t)
  const order = await w.pay({ token: 'ETH', amount: '10' })
  await findNativeDeposits(w.deps, w.chain)
  await w.mine(order.address, [400n, 500n], null)
  await w.confirm()
  assert.deepEqual([await findNativeDeposits(w.deps, w.chain), await w.amounts(order.trade_no)], [0, []])
  await w.mine(order.address, [100n], null)
  await w.confirm()
  assert.equal(await findNativeDeposits(w.deps, w.chain), 1)
  assert.equal(await findNativeDeposits(w.deps, w.chain), 0)
  assert.deepEqual(await w.amounts(order.trade_no), [1_000])
  await assertBooksAgree(w.owner)
})

test('whatever is sent, it is a deposit or kept aside, and nothing kept aside would pay', async t => {
  const w = await dustWorld(t)
  const amount = fc.oneof(
    fc.bigInt(1n, 3_000n),
    fc.bigInt(1n, 2n * minimum),
    fc.constantFrom(minimum, minimum - 1n, 5_000_000n, 9_990_001n, 10_000_000n),
  )
  const blocks = fc.array(fc.array(amount, { maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(blocks, fc.boolean(), async (sent, atOnce) => {
      const order = await w.pay()
      for (const amounts of sent) {
        w.chain.mine(amounts.map(amount => [{ token: usdt, from: payer, to: order.address, amount }]))
        if (!atOnce) await catchUp(w.deps, w.chain)
      }
      await w.confirm()
      const row = await w.payment(order.trade_no)
      const deposits = (await w.deposits(order.trade_no)).map(each => BigInt(each.amount))
      const [, , kept = 0] = (await w.dust(order.address)) ?? []
      const sum = (of: readonly bigint[]) => of.reduce((total, each) => total + each, 0n)
      const aside = BigInt(kept)
      assert.equal(sum(deposits) + aside, sum(sent.flat()))
      const rest = 10_000_000n - BigInt(row.paid_amount)
      assert.ok(aside < minimum && !(rest > 0n && aside >= rest), `${aside} is kept aside, ${rest} is missing`)
      assert.ok(deposits.filter(each => each < minimum).length <= 1, 'only the last part is smaller')
      assert.equal(row.state, BigInt(row.paid_amount) >= 10_000_000n ? 'paid' : 'open')
    }),
    { numRuns: 25 },
  )
  await assertBooksAgree(w.owner)
})
