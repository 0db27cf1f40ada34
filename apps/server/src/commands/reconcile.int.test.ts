import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressForm, CallRefused, type ChainView } from '@coffer/chains'
import { FakeChain } from '@coffer/chains/fake/chain.ts'
import { group, house, posting } from '@coffer/core'
import { post } from '../store/ledger.ts'
import { readSwitch } from '../store/switches.ts'
import { followedWorld, payer } from '../testing/followed.ts'
import { assertBooksAgree } from '../testing/invariants.ts'
import { addressAt, eth, firstRow, rowsOf } from '../testing/money.ts'
import { allotFixedAddress } from './allot-fixed-address.ts'
import { checkLedger } from './check-ledger.ts'
import { findNative } from './find-native.ts'
import { reconcileChain } from './reconcile-chain.ts'
import { resumeChain } from './resume-chain.ts'
import { undoDeposit } from './undo-deposit.ts'

const token = eth.tokens[0]!.contract
const usdt = `${eth.id}:USDT`

type World = Awaited<ReturnType<typeof followedWorld>>
const verdictOf = async ({ deps }: World, chain: ChainView) =>
  (await reconcileChain(deps, chain)).find(each => each.asset_id === usdt)!
const stopped = ({ deps }: World) => readSwitch(deps.pool, 'withdrawals_stopped')

/** A payment of 10 USDT that was credited, and another that is not final. */
async function paid(world: World) {
  const [order, waiting] = [await world.pay(), await world.pay()]
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  await world.confirm()
  world.chain.mine([[{ token, from: payer, to: waiting.address, amount: 5_000_000n }]])
  await world.catchUp()
  return order
}

test('the ledger is what our addresses hold where everything is final', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const { chain, found, held, verdict } = await verdictOf(world, world.chain)
  assert.deepEqual([chain, found, held, verdict], [10_000_000n, 10_000_000n, 0n, 'agrees'])
  world.deps.pass(86_400)
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees', 'from the checkpoint on')
  assert.equal(
    (await firstRow(world.owner, 'select chain from ledger_checkpoints where asset_id = $1', [usdt])).chain,
    '10000000',
  )
  assert.equal((await verdictOf(world, world.chain)).chain, 15_000_000n)
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(await rowsOf(world.owner, 'select * from incidents'), [])
})

test('money that is missing stops withdrawals and tells the operator, once', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees', 'it is not final')
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'shortage')
  await verdictOf(world, world.chain)
  assert.match((await stopped(world))!.reason, /the ledger has 15, the chain 14.999999/)
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(each => [each.kind, each.detail.asset_id, each.detail.ledger, each.detail.found]),
    [['shortage', usdt, '15000000', '14999999']],
  )
})

test('what merchants have reserved may have left the chain already', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const mine = { merchantId: world.merchant.id, part: 'available' as const, assetId: usdt }
  await post(
    world.deps.pool,
    [{ group: group('reserve:1', [posting('withdrawal', mine, { ...mine, part: 'held' }, 3_000_000n)]) }],
    world.deps.clock(),
  )
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 3_000_000n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees')
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'shortage')
})

test('money that nobody was credited for is an incident, and stops nothing', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const wallet = addressAt('evm', 9_999)
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [wallet])
  world.chain.mine([[{ token, from: payer, to: wallet, amount: 7n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(
    (await rowsOf(world.owner, 'select kind from incidents')).map(each => each.kind),
    ['surplus'],
  )
  await post(
    world.deps.pool,
    [{ group: group('found:1', [posting('adjustment', house('chain', usdt), house('suspense', usdt), 7n)]) }],
    world.deps.clock(),
  )
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees')
  await assertBooksAgree(world.owner)
})

test('money that no node told of is found at the address that was shown for it', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const missed = await world.pay()
  const silent = without(world.chain, {
    transfersIn: async () => ({ transfers: [], scanned: 0 }),
  })
  world.chain.mine([[{ token, from: payer, to: missed.address, amount: 7n }]])
  await world.catchUp(silent)
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees', 'it is not final')
  for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(silent)
  assert.deepEqual(await world.deposits(missed.trade_no), [])
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.ledger, detail.found, detail.unseen]),
    [['surplus', '15000000', '15000007', [addressForm.evm.show(missed.address)]]],
  )
})

test('a chain that does not remember is judged where nothing has come yet', async t => {
  const world = await followedWorld(t)
  await world.pay()
  await world.confirm()
  const forgetful = without(world.chain, {
    balanceOf: async (asked, address, block) => {
      if (block) throw new CallRefused('missing trie node', -32000)
      return world.chain.balanceOf(asked, address)
    },
  })
  const { verdict, found } = await verdictOf(world, forgetful)
  assert.deepEqual([verdict, found], ['agrees', 0n])
})

test('money at the fixed address that no node told of is found too', async t => {
  const world = await followedWorld(t)
  const { address } = await allotFixedAddress(world.deps, { merchantId: world.merchant.id, chainId: eth.id })
  world.chain.mine([[{ token, from: payer, to: address, amount: 7n }]])
  await world.catchUp(without(world.chain, { transfersIn: async () => ({ transfers: [], scanned: 0 }) }))
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
})

test('a chain that does not remember is judged by what is there now', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const forgetful = without(world.chain, {
    balanceOf: async (asked, address, block) => {
      if (block) throw new CallRefused('missing trie node', -32000)
      return world.chain.balanceOf(asked, address)
    },
  })
  assert.equal((await verdictOf(world, forgetful)).verdict, 'agrees', 'more is there than is final')
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 6_000_000n }]])
  assert.equal((await verdictOf(world, forgetful)).verdict, 'shortage')
})

test('a token that no node tells the balances of keeps nobody from looking at the others', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const usdc = eth.tokens[1]!.contract
  world.chain.mine([[{ token: usdc, from: payer, to: order.address, amount: 5n }]])
  await world.catchUp()
  await world.confirm()
  const refusing = without(world.chain, {
    balanceOf: async (asked, address, block) => {
      if (asked === usdc) throw new CallRefused('execution reverted', 3)
      return world.chain.balanceOf(asked, address, block)
    },
  })
  assert.equal((await verdictOf(world, refusing)).verdict, 'agrees')
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await verdictOf(world, refusing)).verdict, 'shortage')
  assert.ok(await stopped(world))
})

test('several processes that find one difference at once record it once', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const wallet = addressAt('evm', 9_999)
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [wallet])
  world.chain.mine([[{ token, from: payer, to: wallet, amount: 7n }]])
  await world.catchUp()
  await world.confirm()
  // All have compared before the first one records: what each of them reads is held back until the last has read.
  let waiting = 0
  let all = () => {}
  const together = new Promise<void>(resolve => {
    all = resolve
  })
  const meeting = without(world.chain, {
    balanceOf: async (asked, address, block) => {
      const balance = await world.chain.balanceOf(asked, address, block)
      if (asked === token && address === wallet) {
        if (++waiting === 4) all()
        await together
      }
      return balance
    },
  })
  const verdicts = await Promise.all([1, 2, 3, 4].map(() => verdictOf(world, meeting)))
  assert.deepEqual(
    verdicts.map(each => each.verdict),
    ['surplus', 'surplus', 'surplus', 'surplus'],
  )
  assert.equal((await rowsOf(world.owner, 'select id from incidents')).length, 1)
})

test('a halted chain is not judged', async t => {
  const world = await followedWorld(t)
  await paid(world)
  await world.owner.query(`update chains set halted = 'x'`)
  assert.deepEqual(await reconcileChain(world.deps, world.chain), [])
})

test('the check of the ledger names what is broken', async t => {
  const world = await followedWorld(t)
  await paid(world)
  assert.deepEqual(await checkLedger(world.deps), [])
  await world.owner.query('update ledger_accounts set balance = balance + 1 where merchant_id is not null')
  const broken = await checkLedger(world.deps)
  assert.deepEqual(
    broken.map(each => each.law),
    [
      'a balance is the sum of its postings',
      'what merchants own, fees and what is on its way are what the chains hold and what gas took',
    ],
  )
})

/** A world with a payment in native coin, on a chain that shows no coin moved inside contract calls. */
async function asking(t: Parameters<typeof followedWorld>[0]) {
  const world = await followedWorld(t)
  const order = await world.pay({ token: 'ETH', amount: '10' })
  const blind = without(world.chain, {
    transfersIn: async (block, filter) => world.chain.transfersIn(block, { ...filter, native: false }),
    transfersRange: async (from, to, filter) => world.chain.transfersRange(from, to, { ...filter, native: false }),
  })
  const send = async (amount: bigint) => {
    world.chain.mine([[{ token: null, from: payer, to: order.address, amount }]])
    for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
    await world.catchUp(blind)
  }
  return { ...world, order, send, follow: () => world.catchUp(blind), find: () => findNative(world.deps, world.chain) }
}

test('native coin that no block shows is found on the address and credited once', async t => {
  const world = await asking(t)
  assert.equal(await world.find(), 0)
  await world.send(1_000_000_000_000_000n)
  assert.deepEqual(await Promise.all([world.find(), world.find(), world.find()]).then(all => all.sort()), [0, 0, 1])
  assert.equal(await world.find(), 0)
  assert.deepEqual(await world.callbacks(world.order.trade_no), ['payment.seen', 'payment.partial'])
  await world.send(3_000_000_000_000_000n)
  assert.equal(await world.find(), 1)
  const row = await world.payment(world.order.trade_no)
  assert.deepEqual([row.status, row.paid_amount], [2, '4000000000000000'])
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

test('what a block did show is not found again', async t => {
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

test('after a deep reorg coin that moved to an earlier block is not found again', async t => {
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

test('coin that a deep reorg moved is not found before the reorg is known', async t => {
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

test('coin that was found and left the chain waits for a person, and is found where it is then', async t => {
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

test('what a node tells of a final block that the others do not have is neither found nor missing', async t => {
  const world = await asking(t)
  await world.send(7n)
  await paid(world)
  const fork = new FakeChain({ definition: eth, seed: 2, time: world.deps.clock() })
  fork.mine([[{ token: null, from: payer, to: world.order.address, amount: 4_000_000_000_000_000n }]])
  while ((await fork.head()).number < (await world.chain.head()).number) fork.mine()
  const forked = without(world.chain, {
    blockAt: number => fork.blockAt(number),
    balanceOf: (asset, address, block) => fork.balanceOf(asset, address, block),
  })
  assert.equal(await findNative(world.deps, forked), 0)
  assert.deepEqual(await reconcileChain(world.deps, forked), [])
  assert.equal(await stopped(world), undefined)
  assert.equal(await world.find(), 1)
  assert.deepEqual(
    (await world.deposits(world.order.trade_no)).map(each => each.amount),
    ['7'],
  )
})

test('coin that we sent ourselves is neither a deposit nor found', async t => {
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

test('native coin that leaves an address without us stops withdrawals', async t => {
  const world = await asking(t)
  await world.send(1_000n)
  await world.find()
  world.chain.mine([[{ token: null, from: world.order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal(await world.find(), 0)
  assert.match((await stopped(world))!.reason, /holds less/)
  assert.deepEqual(
    (await rowsOf(world.owner, 'select kind from incidents')).map(each => each.kind),
    ['native_missing'],
  )
})

/** The same chain with some of its methods replaced. */
const without = (chain: ChainView, methods: Partial<ChainView>): ChainView =>
  new Proxy(chain, {
    get(target, name) {
      const own = Reflect.get(methods, name)
      if (own) return own
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
