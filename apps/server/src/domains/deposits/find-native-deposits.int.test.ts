import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallRefused } from '@coffer/chains'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import { followedWorld, paid, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { readPayoutStop } from '../chains/store.ts'
import { reconcileChain } from '../ledger/reconcile.ts'
import { expirePayments } from '../payments/expire-payments.ts'
import { type BalanceReading, findNativeDeposits } from './find-native-deposits.ts'
import { resumeChain } from './resume-chain.ts'
import { undoDeposit } from './undo-deposit.ts'

type World = Awaited<ReturnType<typeof followedWorld>>
const stopped = ({ deps }: World) => readPayoutStop(deps.pool, eth.id, '')
const comparedTo = async ({ owner }: World) =>
  Number((await firstRow(owner, 'select compared_time from chains where id = $1', [eth.id])).compared_time)

/** A world with a native-coin payment on a chain that does not list coin transferred inside contract calls. */
async function asking(t: Parameters<typeof followedWorld>[0]) {
  const world = await followedWorld(t)
  const order = await world.pay({ token: 'ETH', amount: '10' })
  const blind = withMethods(world.chain, {
    transfersIn: async (block, filter) => world.chain.transfersIn(block, { ...filter, native: false }),
    transfersRange: async (from, to, filter) => world.chain.transfersRange(from, to, { ...filter, native: false }),
  })
  const send = async (amount: bigint) => {
    world.chain.mine([[{ token: null, from: payer, to: order.address, amount }]])
    for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
    await world.catchUp(blind)
  }
  return {
    ...world,
    order,
    send,
    follow: () => world.catchUp(blind),
    find: () => findNativeDeposits(world.deps, world.chain),
  }
}

test('native coin that no block lists is found by balance and credited once', async t => {
  const world = await asking(t)
  assert.equal(await world.find(), 0)
  await world.send(1_000_000_000_000_000n)
  assert.deepEqual(await Promise.all([world.find(), world.find(), world.find()]).then(all => all.sort()), [0, 0, 1])
  assert.equal(await world.find(), 0)
  assert.deepEqual(await world.callbacks(world.order.trade_no), ['payment.partial'])
  await world.send(3_000_000_000_000_000n)
  assert.equal(await world.find(), 1)
  const row = await world.payment(world.order.trade_no)
  assert.deepEqual([row.state, row.paid_amount], ['paid', '4000000000000000'])
  const deposits = await world.deposits(world.order.trade_no)
  assert.deepEqual(
    deposits.map(each => [each.txid, each.ordinal, each.state]),
    deposits.map(({ block_number, block_hash }, index) => [
      `reconciled:${[1, 4][index]}:${block_hash.slice(2, 18)}`,
      0,
      block_number === [1, 4][index] ? 'credited' : '',
    ]),
  )
  assert.equal(await world.find(), 0)
  await assertBooksAgree(world.owner)
})

test('coin that a block lists is not found again', async t => {
  const world = await asking(t)
  await world.find()
  world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal(await world.find(), 0)
  await world.send(1n)
  assert.equal(await world.find(), 1)
  await assertBooksAgree(world.owner)
})

test('coin that a deep reorg moved to an earlier block is not found again', async t => {
  const world = await asking(t)
  for (let i = 0; i < 4; i++) world.chain.mine()
  await world.send(0n)
  await world.find()
  world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  await world.catchUp()
  await world.confirm()
  world.chain.reorg(12, 'again')
  await world.catchUp()
  await resumeChain(world.deps, { chainId: eth.id })
  await world.catchUp()
  assert.equal(await world.find(), 0)
  const deposits = await world.deposits(world.order.trade_no)
  assert.deepEqual(
    deposits.map(each => [each.amount, each.state, each.doubted]),
    [['4000000000000000', 'credited', false]],
  )
  await assertBooksAgree(world.owner)
})

test('coin that one of our addresses sent to another in a lost block is no longer expected', async t => {
  const world = await asking(t)
  const other = await world.pay()
  for (let i = 0; i < 4; i++) world.chain.mine()
  await world.send(0n)
  const notes = async () => (await rowsOf(world.owner, 'select coin from own_transactions')).map(each => each.coin)
  world.chain.mine([[{ token: null, from: other.address, to: world.order.address, amount: 500n }]])
  await world.catchUp()
  await world.confirm()
  assert.deepEqual([await notes(), await world.find()], [['500'], 0])
  world.chain.reorg(12, 'lost')
  await world.catchUp()
  await resumeChain(world.deps, { chainId: eth.id })
  await world.catchUp()
  assert.deepEqual([await notes(), await world.find()], [[], 0])
  await world.send(8n)
  assert.equal(await world.find(), 1)
  assert.equal(await stopped(world), undefined)
})

test('coin that a deep reorg moved is not found before the reorg is applied', async t => {
  const world = await asking(t)
  await world.send(0n)
  for (let i = 0; i < 4; i++) world.chain.mine()
  world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  await world.catchUp()
  world.chain.reorg(6, 'again')
  assert.equal(await world.find(), 0)
  await world.catchUp()
  await resumeChain(world.deps, { chainId: eth.id })
  await world.catchUp()
  await world.confirm()
  assert.equal(await world.find(), 0)
  assert.equal(await world.balance(`${eth.id}:ETH`), '3984000000000000')
  await assertBooksAgree(world.owner)
})

test('found coin that left the chain is found again only after an operator undoes its deposit', async t => {
  const world = await asking(t)
  await world.send(4_000_000_000_000_000n)
  await world.find()
  world.chain.reorg((await world.chain.head()).number, 'again')
  await world.follow()
  await resumeChain(world.deps, { chainId: eth.id })
  await world.follow()
  assert.equal(await world.find(), 0, 'while its credit is in doubt')
  assert.equal(await stopped(world), undefined)
  const [deposit] = await world.deposits(world.order.trade_no)
  await undoDeposit(world.deps, { depositId: deposit.id })
  assert.equal(await world.find(), 1)
  assert.equal(await world.balance(`${eth.id}:ETH`), '3984000000000000')
  await assertBooksAgree(world.owner)
})

test('a balance that is not certain is neither credited nor taken for compared', async t => {
  const world = await asking(t)
  await world.send(7n)
  const before = await comparedTo(world)
  const uncertain = withMethods(world.chain, { certainBalances: async (_, addresses) => addresses.map(() => null) })
  assert.equal(await findNativeDeposits(world.deps, uncertain), 0)
  assert.equal(await comparedTo(world), before)
  assert.equal(await world.find(), 1)
  assert.ok((await comparedTo(world)) > before)
  assert.equal(await stopped(world), undefined)
})

test('where nodes know no balances, nothing is hidden, and payments expire', async t => {
  const world = await asking(t)
  const bare = withMethods(world.chain, { balanceOf: undefined, certainBalances: undefined, recentBalances: undefined })
  await world.send(0n)
  const { time } = await world.chain.head()
  assert.equal(await findNativeDeposits(world.deps, bare), 0)
  assert.equal(await comparedTo(world), time - (eth.confirmations - 1) * eth.blockTime)
  assert.deepEqual(await reconcileChain(world.deps, bare), [])
})

test('where nodes keep no past state, a recent balance counts once its block is final', async t => {
  const world = await asking(t)
  const readings: BalanceReading[] = []
  const pruned = withMethods(world.chain, {
    certainBalances: async () => Promise.reject(new CallRefused('missing trie node', -32_000)),
  })
  const find = () => findNativeDeposits(world.deps, pruned, readings)
  await world.send(7n)
  assert.equal(await find(), 0)
  const { number, time } = await world.chain.head()
  assert.deepEqual([readings.length, readings[0]?.block.number], [1, number])
  assert.equal(await find(), 0, 'its block is not final')
  await world.send(0n)
  assert.ok((await comparedTo(world)) < time)
  assert.equal(await find(), 1)
  assert.equal(await comparedTo(world), time)
  await world.send(0n)
  assert.equal(await find(), 0)
  await assertBooksAgree(world.owner)
})

test('balances at a forked final block are neither found nor reported missing', async t => {
  const world = await asking(t)
  await world.send(7n)
  await paid(world)
  const fork = new FakeChain({ definition: eth, seed: 2, time: world.deps.clock() })
  fork.mine([[{ token: null, from: payer, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  while ((await fork.head()).number < (await world.chain.head()).number) fork.mine()
  const forked = withMethods(world.chain, {
    blockAt: number => fork.blockAt(number),
    certainBalances: (asset, addresses, block) => fork.certainBalances(asset, addresses, block),
  })
  assert.equal(await findNativeDeposits(world.deps, forked), 0)
  assert.deepEqual(await reconcileChain(world.deps, forked), [])
  assert.equal(await stopped(world), undefined)
  assert.equal(await world.find(), 1)
  assert.deepEqual(
    (await world.deposits(world.order.trade_no)).map(each => each.amount),
    ['7'],
  )
})

test('coin from our own transactions is neither a deposit nor found', async t => {
  const world = await asking(t)
  const [txid] = world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 500n }]])
  const own = `insert into own_transactions (chain_id, txid, address, created_at) values ($1, $2, $3, 0)`
  await world.owner.query(own, [eth.id, txid, world.order.address])
  await world.catchUp()
  await world.confirm()
  assert.deepEqual(await world.deposits(world.order.trade_no), [])
  assert.equal(await world.find(), 0, 'while it is not settled')
  await world.owner.query('update own_transactions set settled_block = 1')
  assert.equal(await world.find(), 0, 'the address starts again')
  await world.send(8n)
  assert.equal(await world.find(), 1)
  assert.deepEqual(
    (await world.deposits(world.order.trade_no)).map(each => each.amount),
    ['8'],
  )
})

test('a balance after our own transaction is compared with later only if most nodes report it', async t => {
  const world = await asking(t)
  const [txid] = world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 500n }]])
  const own = `insert into own_transactions (chain_id, txid, address, created_at, settled_block) values ($1, $2, $3, 0, 1)`
  await world.owner.query(own, [eth.id, txid, world.order.address])
  await world.catchUp()
  await world.confirm()
  const uncertain = withMethods(world.chain, { certainBalances: async (_, addresses) => addresses.map(() => null) })
  assert.equal(await findNativeDeposits(world.deps, uncertain), 0)
  assert.equal(await world.find(), 0)
  await world.send(0n)
  assert.equal(await world.find(), 0)
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(await world.deposits(world.order.trade_no), [])
})

test('coin that comes while our own transaction changes the balance is found, and its higher fee is no alarm', async t => {
  const world = await asking(t)
  await world.find()
  await world.send(8n)
  const [txid] = world.chain.mine([[{ token: null, from: payer, to: world.order.address, amount: 500n }]])
  const own = `insert into own_transactions (chain_id, txid, address, created_at, settled_block, coin) values ($1, $2, $3, 0, $4, $5)`
  const { number } = await world.chain.head()
  await world.owner.query(own, [eth.id, txid, world.order.address, number, 500])
  await world.catchUp()
  await world.confirm()
  assert.equal(await world.find(), 1)
  await world.owner.query(own, [eth.id, 'dearer', world.order.address, number + eth.confirmations, 3])
  await world.send(0n)
  assert.equal(await world.find(), 0)
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(
    (await world.deposits(world.order.trade_no)).map(each => each.amount),
    ['8'],
  )
})

test('a balance that may be of the block of our own transaction or of the one before decides nothing', async t => {
  const world = await asking(t)
  await world.find()
  await world.send(8n)
  assert.equal(await world.find(), 1)
  await world.send(0n)
  const { number, hash } = await world.chain.head()
  const pruned = withMethods(world.chain, {
    certainBalances: async () => Promise.reject(new CallRefused('missing trie node', -32_000)),
  })
  const [txid] = world.chain.mine([[{ token: null, from: world.order.address, to: payer, amount: 8n }]])
  await world.owner.query(
    `insert into own_transactions (chain_id, txid, address, created_at, settled_block, coin) values ($1, $2, $3, 0, $4, -8)`,
    [eth.id, txid, world.order.address, number + 1],
  )
  await world.catchUp()
  await world.confirm()
  for (const slack of [1, 0]) {
    const balances = new Map([[world.order.address, slack === 1 ? 0n : 8n]])
    assert.equal(
      await findNativeDeposits(world.deps, pruned, [{ block: { number, hash }, slack, balances, oldest: null }]),
      0,
    )
    assert.equal(await stopped(world), undefined)
  }
  assert.equal(await world.find(), 0)
  assert.equal(await stopped(world), undefined)
})

test('a gap after our own transaction is a deposit only beyond what no root covers of its fee', async t => {
  for (const [surcharge, found] of [
    [8, []],
    [7, ['8']],
  ] as const) {
    const world = await asking(t)
    await world.find()
    const { number } = await world.chain.head()
    await world.owner.query(
      `insert into own_transactions (chain_id, txid, address, created_at, settled_block, coin, surcharge)
       values ($1, 'ours', $2, 0, $3, 0, $4)`,
      [eth.id, world.order.address, number + 1, surcharge],
    )
    await world.send(8n)
    assert.equal(await world.find(), found.length)
    assert.deepEqual(
      (await world.deposits(world.order.trade_no)).map(each => each.amount),
      found,
    )
    await world.send(9n)
    assert.equal(await world.find(), 1, 'what comes later counts')
  }
})

test('native coin leaving an address without a transaction of ours stops withdrawals', async t => {
  const world = await asking(t)
  await world.send(1_000n)
  await world.find()
  world.chain.mine([[{ token: null, from: world.order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal(await world.find(), 0)
  assert.match((await stopped(world))!.reason, /^less_than_received \| \w+ \| 0x/)
  assert.deepEqual(
    (await rowsOf(world.owner, 'select kind from incidents')).map(each => each.kind),
    ['native_missing'],
  )
})

test('a payment in native coin does not time out before its balance is compared', async t => {
  const world = await followedWorld(t)
  await world.owner.query(`update chains set definition = jsonb_set(definition, '{net}', '"mainnet"')`)
  const full = await world.pay({ token: 'ETH' })
  const none = await world.pay({ token: 'ETH' })
  for (let i = 0; i < 20; i++) world.chain.mine()
  world.chain.mine([[{ token: null, from: payer, to: full.address, amount: 4_000_000_000_000_000n }]])
  const { number, time } = await world.chain.head()
  // Sent from within a contract call, it is in no block.
  const silent = withMethods(world.chain, {
    transfersIn: async () => ({ transfers: [], scanned: 0 }),
    transfersRange: async (from, to, filter) => ({
      ...(await world.chain.transfersRange(from, to, filter)),
      transfers: [],
    }),
    // Nodes keep the state of few blocks.
    certainBalances: (token, addresses, block) =>
      block && block.number < number - 2
        ? Promise.reject(new CallRefused('missing trie node', -32_000))
        : world.chain.certainBalances(token, addresses, block),
  })
  await world.owner.query('update payments set expire_at = $1', [time + 1])
  for (let i = 0; i < eth.confirmations + 3; i++) world.chain.mine()
  world.deps.pass(86_400)
  await world.catchUp(silent)
  const states = () => Promise.all([full, none].map(async each => (await world.payment(each.trade_no)).state))
  assert.equal(await expirePayments(world.deps), 0)
  assert.deepEqual(await states(), ['open', 'open'])
  // Nodes disagree on earlier blocks: later it would be too late.
  const { final_number } = await firstRow(world.owner, 'select final_number from chains where id = $1', [eth.id])
  const split = withMethods(silent, {
    certainBalances: async (token, addresses, block) =>
      block && block.number < final_number
        ? addresses.map(() => null)
        : world.chain.certainBalances(token, addresses, block),
  })
  assert.deepEqual([await findNativeDeposits(world.deps, split), await expirePayments(world.deps)], [0, 0])
  assert.equal(await findNativeDeposits(world.deps, silent), 1)
  assert.equal(await expirePayments(world.deps), 1)
  assert.deepEqual(await states(), ['paid', 'timed_out'])
  await assertBooksAgree(world.owner)
})

test('coin from one of our own addresses is not found as a deposit', async t => {
  const world = await asking(t)
  const other = await world.pay({ token: 'ETH', amount: '10' })
  await world.find()
  world.chain.mine([[{ token: null, from: other.address, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  await world.catchUp()
  await world.confirm()
  assert.deepEqual(await rowsOf(world.owner, 'select kind from incidents'), [{ kind: 'own_transfer' }])
  await world.find()
  assert.deepEqual(await rowsOf(world.owner, 'select id from deposits'), [])
})
