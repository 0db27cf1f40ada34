import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallRefused, type ChainView, chainAdapters } from '@coffer/chains'
import { groupPostings, houseAccount, makePosting } from '@coffer/core'
import { followedWorld, hiding, paid, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { addressAt, eth, firstRow, rowsOf } from '../../testing/money.ts'
import { assignFixedAddress } from '../addresses/assign-address.ts'
import { readQueuePause, resumeQueue } from '../chains/pause-queue.ts'
import { insertIncidents, readPayoutStop } from '../chains/store.ts'
import { readLiquidity } from '../console/today.ts'
import { insertWallet } from '../outgoing/store.ts'
import { readReconciliationState } from './accounted.ts'
import { checkLedger } from './check-ledger.ts'
import { reconcileChain } from './reconcile.ts'
import { postEntries } from './store.ts'

const token = eth.tokens[0]!.contract
const usdt = `${eth.id}:USDT`
const wallet = addressAt('evm', 9_999)

type World = Awaited<ReturnType<typeof followedWorld>>
const verdictOf = async ({ deps }: World, chain: ChainView) =>
  (await reconcileChain(deps, chain)).find(each => each.asset_id === usdt)!
const stopped = ({ deps }: World, asset = usdt) => readPayoutStop(deps.pool, eth.id, asset)

/** A paid payment, and 7 units in the hot wallet that are not in the ledger. */
async function withSurplus(scope: Parameters<typeof followedWorld>[0]): Promise<World> {
  const world = await followedWorld(scope)
  await paid(world)
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [wallet])
  world.chain.mine([[{ token, from: payer, to: wallet, amount: 7n }]])
  await world.catchUp()
  await world.confirm()
  return world
}

test('the ledger agrees with final balances', async t => {
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

test('a clock that was ahead for a while causes no difference', async t => {
  const world = await followedWorld(t)
  await paid(world)
  world.deps.pass(7_200)
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees')
  world.deps.pass(-7_200)
  await paid(world)
  await world.confirm()
  for (const passed of [0, 86_400, 86_400]) {
    world.deps.pass(passed)
    const { chain, found, verdict } = await verdictOf(world, world.chain)
    assert.deepEqual([chain, found, verdict], [30_000_000n, 30_000_000n, 'agrees'])
  }
})

test('a shortage stops withdrawals and records one incident', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees', 'not final yet')
  await world.confirm()
  assert.equal((await verdictOf(world, world.chain)).verdict, 'shortage')
  await verdictOf(world, world.chain)
  assert.match((await stopped(world))!.reason, /^less_than_ledger \| \w+ \| 15 USDT \| 14\.999999 USDT$/)
  assert.equal(await stopped(world, `${eth.id}:USDC`), undefined, 'other assets go on')
  assert.match((await readQueuePause(world.deps.pool, 'withdrawals'))!.reason, /USDT/)
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(each => [each.kind, each.detail.asset_id, each.detail.ledger, each.detail.found]),
    [['shortage', usdt, '15000000', '14999999']],
  )
})

/** A chain that is not read, or halted, says nothing about its wallets. */
async function assertUnreadIsUnknown({ deps, owner }: Awaited<ReturnType<typeof followedWorld>>): Promise<void> {
  const delays: [string, number, string | null][] = [
    ['read_at', deps.clock() - 100, null],
    ['halted', deps.clock(), 'deep reorg'],
  ]
  for (const [column, value, reason] of delays) {
    const set = `update chains set ${column} = $1 where id = $2`
    await owner.query(set, [column === 'halted' ? reason : value, eth.id])
    const { state, unknown } = await readReconciliationState(deps)
    assert.deepEqual([state, unknown.find(each => each.asset_id === usdt)?.why], ['unknown', 'unread'], column)
    await owner.query(set, [column === 'halted' ? null : deps.clock(), eth.id])
  }
}

test('a robbed wallet is red, also before it is compared, and nothing old or never compared is green', async t => {
  const world = await followedWorld(t)
  const { deps, chain } = world
  // Chains that pay name their fees.
  const on = { ...deps, chains: new Map([[eth.id, Object.assign(chain, { fees: null })]]) } as never as typeof deps
  await world.owner.query(`insert into house_addresses values ('evm', $1, 'hot wallet', 0)`, [wallet])
  await insertWallet(deps.pool, eth.id, wallet, 'evm', 'hot', null, 0, deps.clock())
  const move = async (from: string, to: string, amount: bigint) => {
    chain.mine([[{ token, from, to, amount }]])
    await world.catchUp()
    await world.confirm()
  }
  const order = await world.pay()
  await move(payer, order.address, 124_340_000_000n)
  const swept = [{ chain_id: eth.id, token: 'USDT', unswept: '0', blocked: '0' }]
  const stateOf = async (sweeps = swept) =>
    (await readLiquidity(on, sweeps)).list.find(each => each.chain_id === eth.id && each.token === 'USDT')!.state
  const never = await readReconciliationState(deps)
  assert.equal(never.state, 'unknown')
  assert.ok(never.unknown.some(each => each.asset_id === usdt && each.compared_time === 0))
  assert.equal(await stateOf([{ ...swept[0]!, unswept: '124340' }]), 'unknown')

  await move(order.address, wallet, 124_340_000_000n)
  await reconcileChain(deps, chain)
  assert.equal((await readLiquidity(on, swept)).held_usdt, '124340')
  const before = await readReconciliationState(deps)
  assert.deepEqual([before.missing, before.unknown.filter(each => each.chain_id === eth.id)], [[], []])
  assert.equal(await stateOf(), 'covered')
  await assertUnreadIsUnknown(world)
  const halted = {
    id: 'halted',
    chain_id: eth.id,
    kind: 'wallet_halted',
    detail: {},
    created_at: deps.clock(),
  } as const
  await insertIncidents(deps.pool, [halted])
  assert.ok(
    (await readReconciliationState(deps)).unknown.some(each => each.asset_id === usdt && each.why === 'wallet'),
    'a theft shows in final blocks only later',
  )
  assert.equal(await stateOf(), 'unknown')
  await deps.pool.query("update incidents set resolved_at = $1 where id = 'halted'", [deps.clock()])
  deps.pass(1_800)
  assert.ok(
    (await readReconciliationState(deps)).unknown.some(each => each.asset_id === usdt),
    'an old comparison says nothing',
  )
  assert.equal(await stateOf(), 'unknown')

  chain.mine([[{ token, from: wallet, to: payer, amount: 111_906_000_000n }]])
  assert.equal(await stateOf(), 'uncovered', 'the balances of now are below what is owed')
  await world.catchUp()
  await world.confirm()
  await reconcileChain(deps, chain)
  const since = deps.clock()
  deps.pass(600)
  await reconcileChain(deps, chain)
  const { state, stopped, missing } = await readReconciliationState(deps)
  assert.deepEqual([state, stopped, missing.length], ['missing', true, 1])
  const [{ incident, ...found }] = missing as [(typeof missing)[number]]
  const of = { asset_id: usdt, chain_id: eth.id, chain: eth.name, token: 'USDT' }
  assert.deepEqual(found, { ...of, missing: '111906', since, stopped: true })
  assert.ok(incident)
  assert.equal(await stateOf(), 'missing')

  await move(payer, wallet, 111_906_000_000n)
  await reconcileChain(deps, chain)
  assert.deepEqual((await readReconciliationState(deps)).missing, [], 'all of it is there again')
})

test('the line is green in no second after a comparison that a theft came into, and before shows how old the comparison is', async t => {
  const world = await followedWorld(t)
  const { deps, chain } = world
  // The blocks of a sandbox stand still, those of other chains say until when they were compared.
  const live = withMethods(chain, { definition: { ...eth, net: 'mainnet' } })
  await world.owner.query('update assets set enabled = false where chain_id <> $1', [eth.id])
  const order = await paid(world)
  await world.confirm()
  deps.pass((await chain.head()).time - deps.clock())
  await reconcileChain(deps, live)
  const stolenAt = deps.clock()
  chain.mine([[{ token, from: order.address, to: payer, amount: 4_000_000n }]])
  await world.catchUp()
  let redAt: number | undefined
  for (let second = 0; second < 480; second++) {
    deps.pass(1)
    if (second % 12 === 0) {
      chain.mine([[]])
      await world.catchUp()
    }
    if (second % 300 === 0) await reconcileChain(deps, live)
    const { state, compared_time, now } = await readReconciliationState(deps)
    if (state === 'missing') redAt ??= second
    else {
      assert.equal(redAt, undefined, `not red in second ${second}`)
      assert.ok(
        compared_time <= stolenAt,
        `"compared ${now - compared_time} s ago" in second ${second} hides the theft`,
      )
    }
  }
  assert.equal(redAt, 300, 'by the first comparison of final blocks that have it')
})

test('resuming withdrawals ends the stop of an asset', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  await verdictOf(world, world.chain)
  assert.ok(await stopped(world))
  assert.equal((await resumeQueue(world.deps, { queue: 'withdrawals' })).resumed, true)
  assert.equal(await stopped(world), undefined)
  assert.equal(await readQueuePause(world.deps.pool, 'withdrawals'), undefined)
})

test('reserved amounts may have left the chain already', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const mine = { merchantId: world.merchant.id, part: 'available' as const, assetId: usdt }
  await postEntries(
    world.deps.pool,
    [{ group: groupPostings('reserve:1', [makePosting('withdrawal', mine, { ...mine, part: 'held' }, 3_000_000n)]) }],
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

test('a surplus records an incident and does not stop withdrawals', async t => {
  const world = await withSurplus(t)
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(
    (await rowsOf(world.owner, 'select kind from incidents')).map(each => each.kind),
    ['surplus'],
  )
  await postEntries(
    world.deps.pool,
    [
      {
        group: groupPostings('found:1', [
          makePosting('adjustment', houseAccount('chain', usdt), houseAccount('suspense', usdt), 7n),
        ]),
      },
    ],
    world.deps.clock(),
  )
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees')
  await assertBooksAgree(world.owner)
})

test('a missed transfer is found at the address of its payment', async t => {
  const world = await followedWorld(t)
  await paid(world)
  const missed = await world.pay()
  const silent = hiding(world, missed.address)
  world.chain.mine([[{ token, from: payer, to: missed.address, amount: 7n }]])
  await world.catchUp(silent)
  assert.equal((await verdictOf(world, world.chain)).verdict, 'agrees', 'not final yet')
  for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(silent)
  assert.deepEqual(await world.deposits(missed.trade_no), [])
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents')
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.ledger, detail.found, detail.unseen]),
    [['surplus', '15000000', '15000007', [chainAdapters.evm.address.show(missed.address)]]],
  )
})

test('a chain without past balances and deposits agrees', async t => {
  const world = await followedWorld(t)
  await world.pay()
  await world.confirm()
  const forgetful = withMethods(world.chain, {
    certainBalances: async (requested, addresses, block) => {
      if (block) throw new CallRefused('missing trie node', -32000)
      return world.chain.certainBalances(requested, addresses)
    },
  })
  const { verdict, found } = await verdictOf(world, forgetful)
  assert.deepEqual([verdict, found], ['agrees', 0n])
})

test('a missed transfer is found at a fixed address', async t => {
  const world = await followedWorld(t)
  const { address } = await assignFixedAddress(world.deps, world.merchant.id, eth.id)
  world.chain.mine([[{ token, from: payer, to: address, amount: 7n }]])
  for (let i = 1; i < eth.confirmations; i++) world.chain.mine()
  await world.catchUp(hiding(world, address))
  assert.equal((await verdictOf(world, world.chain)).verdict, 'surplus')
})

test('a chain without past balances is compared with current ones', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const forgetful = withMethods(world.chain, {
    certainBalances: async (requested, addresses, block) => {
      if (block) throw new CallRefused('missing trie node', -32000)
      return world.chain.certainBalances(requested, addresses)
    },
  })
  assert.equal((await verdictOf(world, forgetful)).verdict, 'agrees', 'current balances exceed the final ones')
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 6_000_000n }]])
  assert.equal((await verdictOf(world, forgetful)).verdict, 'shortage')
})

test('a difference that is not certain stops nothing', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const unsure = withMethods(world.chain, {
    certainBalances: async (_, addresses) => addresses.map(address => (address === order.address ? null : 0n)),
  })
  assert.equal(await verdictOf(world, unsure), undefined)
  assert.equal(await stopped(world), undefined)
  assert.deepEqual(await rowsOf(world.owner, 'select * from incidents'), [])
})

test('a token whose balances fail does not prevent the comparison of others', async t => {
  const world = await followedWorld(t)
  const order = await paid(world)
  const usdc = eth.tokens[1]!.contract
  world.chain.mine([[{ token: usdc, from: payer, to: order.address, amount: 5n }]])
  await world.catchUp()
  await world.confirm()
  const refusing = withMethods(world.chain, {
    certainBalances: async (requested, addresses, block) => {
      if (requested === usdc) throw new CallRefused('execution reverted', 3)
      return world.chain.certainBalances(requested, addresses, block)
    },
  })
  assert.equal((await verdictOf(world, refusing)).verdict, 'agrees')
  world.chain.mine([[{ token, from: order.address, to: payer, amount: 1n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await verdictOf(world, refusing)).verdict, 'shortage')
  assert.ok(await stopped(world))
})

test('concurrent processes record a difference once', async t => {
  const world = await withSurplus(t)
  // Balances are held back until every process has read them, so that all compare before the first one records.
  let waiting = 0
  let all = () => {}
  const together = new Promise<void>(resolve => {
    all = resolve
  })
  const meeting = withMethods(world.chain, {
    certainBalances: async (requested, addresses, block) => {
      const balances = await world.chain.certainBalances(requested, addresses, block)
      if (requested === token && addresses.includes(wallet)) {
        if (++waiting === 4) all()
        await together
      }
      return balances
    },
  })
  const verdicts = await Promise.all([1, 2, 3, 4].map(() => verdictOf(world, meeting)))
  assert.deepEqual(
    verdicts.map(each => each.verdict),
    ['surplus', 'surplus', 'surplus', 'surplus'],
  )
  assert.equal((await rowsOf(world.owner, 'select id from incidents')).length, 1)
})

test('a halted chain is not compared', async t => {
  const world = await followedWorld(t)
  await paid(world)
  await world.owner.query(`update chains set halted = 'x'`)
  assert.deepEqual(await reconcileChain(world.deps, world.chain), [])
})

test('the ledger check reports violated invariants', async t => {
  const world = await followedWorld(t)
  await paid(world)
  assert.deepEqual(await checkLedger(world.deps), [])
  await world.owner.query('update ledger_accounts set balance = balance + 1 where merchant_id is not null')
  const violated = await checkLedger(world.deps)
  assert.deepEqual(
    violated.map(each => each.invariant),
    ['a balance equals the sum of its postings', 'balances, fees and suspense equal chain holdings and gas'],
  )
})
