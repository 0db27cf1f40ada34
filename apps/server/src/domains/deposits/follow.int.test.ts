import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainView, TransferFilter } from '@coffer/chains'
import { paymentStatus } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import type { Deps } from '../../deps.ts'
import { catchUp, followedWorld, payer, withMethods } from '../../testing/followed.ts'
import { assertBooksAgree } from '../../testing/invariants.ts'
import { eth, firstRow, rowsOf } from '../../testing/money.ts'
import { syncChains } from '../chains/sync-chains.ts'
import { followChains, followUntilHalted } from './follow.ts'
import { OutOfOrder } from './out-of-order.ts'
import { resumeChain } from './resume-chain.ts'

const token = eth.tokens[0]!.contract
const usdt = `${eth.id}:USDT`
const chainRow = (world: { owner: Awaited<ReturnType<typeof followedWorld>>['owner'] }) =>
  firstRow(world.owner, 'select * from chains where id = $1', [eth.id])

test('the follower sees and credits a deposit, reads its gas, and stops on abort', async t => {
  const world = await followedWorld(t)
  const stop = new AbortController()
  const done = followChains(world.deps, [world.chain], stop.signal)
  t.after(async () => {
    stop.abort()
    await done
  })
  const order = await world.pay()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  world.chain.mine()
  world.chain.mine()
  await until(
    'block 3 is read',
    async () => (await chainRow(world)).last_number,
    last => last >= 3,
  )
  const deposit = await until(
    'the gas of the deposit is read',
    async () => (await world.deposits(order.trade_no))[0],
    found => found?.gas === '210000',
  )
  assert.deepEqual([deposit.state, deposit.gas_read], ['credited', true])
  stop.abort()
  await done
  world.chain.mine()
  assert.equal((await chainRow(world)).last_number, 3)
})

test('native coin pays a payment', async t => {
  const world = await followedWorld(t)
  const order = await world.pay({ token: 'ETH' })
  world.chain.mine([[{ token: null, from: payer, to: order.address, amount: 4_000_000_000_000_000n }]])
  await world.catchUp()
  await world.confirm()
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  await assertBooksAgree(world.owner)
})

test('deposits mined while no follower ran are credited once despite many restarts', async t => {
  const world = await followedWorld(t)
  const orders = await Promise.all(Array.from({ length: 5 }, () => world.pay()))
  for (const { address } of orders) {
    world.chain.mine([[{ token, from: payer, to: address, amount: 10_000_000n }]])
    for (let i = 0; i < 20; i++) world.chain.mine()
  }
  await Promise.all([world.catchUp(), world.catchUp(), world.catchUp()])
  await world.catchUp()
  for (const { trade_no } of orders) assert.equal((await world.payment(trade_no)).state, 'paid')
  assert.equal(await world.balance(usdt), '49800000')
  assert.equal((await chainRow(world)).last_number, 105)
  await assertBooksAgree(world.owner)
})

test('deposits to an address given out while blocks are prefetched are not missed', async t => {
  const world = await followedWorld(t)
  for (let i = 0; i < 30; i++) world.chain.mine()
  const early = world.catchUp()
  const orders = await Promise.all(Array.from({ length: 260 }, () => world.pay()))
  world.chain.mine(orders.map(({ address }) => [{ token, from: payer, to: address, amount: 10_000_000n }]))
  await early
  await world.catchUp()
  await world.confirm()
  assert.equal(
    (await firstRow(world.owner, `select count(*) from payments where status = ${paymentStatus.paid}`)).count,
    260,
  )
  await assertBooksAgree(world.owner)
})

test('many orders while nodes are slow do not make every block be read again', async t => {
  const world = await followedWorld(t)
  const again: string[] = []
  const log = Object.assign(Object.create(world.deps.log), {
    warn: ({ reason }: { reason?: string }) => reason?.includes('without all addresses') && again.push(reason),
  })
  const orders = `update address_counters set next_index = next_index + 300 where chain_kind = 'evm'`
  await world.pay()
  const slow = withMethods(world.chain, {
    transfersIn: async (...of) => {
      await world.owner.query(orders)
      return world.chain.transfersIn(...of)
    },
  })
  const stop = new AbortController()
  const done = followChains({ ...world.deps, log }, [slow], stop.signal)
  t.after(async () => {
    stop.abort()
    await done
  })
  for (let block = 1; block <= 12; block++) {
    world.chain.mine()
    await until(
      `block ${block} is read`,
      async () => (await chainRow(world)).last_number,
      last => last >= block || again.length > 2,
    )
    assert.ok(again.length <= 2, `read again ${again.length} times at block ${block}`)
  }
})

class Enough extends Error {}

/** Follows like a process that started earlier; `meanwhile` runs when it first reaches the tip. */
async function followLong(deps: Deps, chain: ChainView, meanwhile: () => Promise<unknown>) {
  let waits = 0
  const wait = async () => {
    if (++waits > 3) throw new Enough()
    if (waits === 1) await meanwhile()
  }
  await followUntilHalted(deps, chain, { wait, applied: () => {} }).catch(error => {
    if (!(error instanceof Enough || error instanceof OutOfOrder)) throw error
  })
}

test('without roots, only what a quorum has is credited; what it denies is dropped and reported once', async t => {
  const world = await followedWorld(t)
  const real = await world.pay()
  const reported = await world.pay()
  const [, invented] = world.chain.mine(
    [real, reported].map(({ address }) => [{ token, from: payer, to: address, amount: 10_000_000n }]),
  )
  let agree = false
  const requested: number[] = []
  const view = new Proxy<ChainView>(world.chain, {
    get(target, name) {
      if (name === 'isVerified') return false
      if (name === 'agreed')
        return async (from: number, last: { number: number }, filter: TransferFilter) => {
          requested.push(from)
          const { transfers } = await target.transfersRange(from, last.number, filter)
          return agree ? transfers.filter(({ txid }) => txid !== invented) : null
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const states = () => Promise.all([real, reported].map(async each => (await world.payment(each.trade_no)).state))
  const goOn = async () => {
    for (let i = 0; i < eth.confirmations; i++) world.chain.mine()
    await followLong(world.deps, view, async () => {})
    return states()
  }
  await world.catchUp(view)
  assert.deepEqual(await goOn(), ['open', 'open'], 'waits while there is no quorum')
  agree = true
  assert.deepEqual(await goOn(), ['paid', 'dropped'])
  requested.length = 0
  assert.deepEqual(await goOn(), ['paid', 'dropped'])
  assert.ok(requested.length > 0 && Math.min(...requested) > eth.confirmations, 'its block is no longer requested')
  assert.deepEqual(
    (await rowsOf(world.owner, 'select kind, detail from incidents')).map(each => [each.kind, each.detail.txid]),
    [['deposit_denied', invented]],
  )
  assert.deepEqual(
    (await world.deposits(reported.trade_no)).map(each => each.state),
    ['dropped'],
  )
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

test('an impossible amount and a transfer between own addresses are incidents, and the chain goes on', async t => {
  const world = await followedWorld(t)
  const one = await world.pay()
  const other = await world.pay()
  const [huge, own] = world.chain.mine([
    [{ token, from: payer, to: one.address, amount: 10n ** 70n }],
    [{ token, from: one.address, to: other.address, amount: 10_000_000n }],
    [{ token, from: payer, to: one.address, amount: 10_000_000n }],
  ])
  await world.catchUp()
  await world.confirm()
  await world.confirm()
  assert.deepEqual(
    [(await world.payment(one.trade_no)).state, (await world.payment(other.trade_no)).state],
    ['paid', 'open'],
  )
  assert.deepEqual(await world.deposits(other.trade_no), [])
  const incidents = await rowsOf(world.owner, 'select kind, detail from incidents order by kind')
  assert.deepEqual(
    incidents.map(({ kind, detail }) => [kind, detail.txid, detail.amount]),
    [
      ['amount_too_large', huge, String(10n ** 70n)],
      ['own_transfer', own, '10000000'],
    ],
  )
  await assertBooksAgree(world.owner)
})

test('a process does not miss a token that a later process enabled', async t => {
  const world = await followedWorld(t)
  const usdc = eth.tokens[1]!
  const before = { ...world.deps, chains: new Map([[eth.id, world.chain]]) }
  await world.owner.query('update assets set enabled = false where id = $1', [`${eth.id}:USDC`])
  let tradeNo = ''
  await followLong(before, world.chain, async () => {
    await syncChains(world.deps)
    const order = await world.pay({ token: 'USDC' })
    tradeNo = order.trade_no
    world.chain.mine([[{ token: usdc.contract, from: payer, to: order.address, amount: 10_000_000n }]])
  })
  await world.catchUp()
  await world.confirm()
  assert.equal((await world.payment(tradeNo)).state, 'paid')
  await assertBooksAgree(world.owner)
})

test('a process behind the database does not accept a block of another branch', async t => {
  const world = await followedWorld(t)
  const order = await world.pay()
  for (let i = 0; i < 4; i++) world.chain.mine()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  // Another process applies the next block between the two queries.
  const pool = new Proxy(world.deps.pool, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'query') return value.bind(target)
      return async (requested: { name: string }) => {
        const answer = await target.query(requested as never)
        if (requested.name === 'chain-blocks') {
          world.chain.mine()
          await world.catchUp()
        }
        return answer
      }
    },
  })
  await followLong({ ...world.deps, pool }, world.chain, async () => world.chain.reorg(2, 'lost', 3))
  await world.catchUp()
  await world.confirm()
  assert.deepEqual(
    (await world.deposits(order.trade_no)).map(each => each.state),
    ['dropped'],
  )
  assert.equal(await world.balance(usdt), '0')
  await assertBooksAgree(world.owner)
})

test('a reorg drops a seen deposit; mined again it is the same deposit', async t => {
  const world = await followedWorld(t)
  const order = await world.pay()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  world.chain.reorg(1, 'again', 0)
  await world.catchUp()
  world.chain.reorg(1, 'lost', 2)
  await world.catchUp()
  const states = (await world.deposits(order.trade_no)).map(each => each.state)
  assert.deepEqual(states, ['seen'])
  await world.confirm()
  assert.equal(await world.balance(usdt), '9960000')
  await assertBooksAgree(world.owner)
})

test('lagging or failing nodes drop no deposits', async t => {
  const world = await followedWorld(t)
  const order = await world.pay()
  world.chain.mine([[{ token, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  world.chain.faults = { ...world.chain.faults, error: 0.3, orphaned: 0.1, lag: 3 }
  for (let i = 0; i < 6; i++) {
    world.chain.mine()
    await world.catchUp()
  }
  world.chain.faults = { error: 0, hang: 0, orphaned: 0, tooLarge: 0, behind: 0, lag: 0 }
  await world.catchUp()
  assert.deepEqual(await world.callbacks(order.trade_no), ['payment.seen', 'payment.paid'])
  await assertBooksAgree(world.owner)
})

test('a long disagreement of nodes is logged once', async t => {
  const world = await followedWorld(t)
  const reported: object[] = []
  const log = { ...world.deps.log, warn: (what: object) => void reported.push(what) } as typeof world.deps.log
  world.chain.agreesOn = async () => false
  for (let i = 0; i < 5; i++) world.chain.mine()
  let waits = 0
  const wait = async () => {
    if (++waits === 20) throw new Error('enough')
  }
  await assert.rejects(followUntilHalted({ ...world.deps, log }, world.chain, { wait, applied: () => {} }), /enough/)
  assert.deepEqual(reported, [{ chain: eth.id, why: 'no-quorum' }])
})

test('a stale process does not halt the chain again after an operator resumed it', async t => {
  const world = await followedWorld(t)
  for (let i = 0; i < 6; i++) world.chain.mine()
  await world.catchUp()
  await followLong(world.deps, world.chain, async () => {
    world.chain.reorg(6, 'again', 8)
    await world.catchUp()
    await resumeChain(world.deps, { chainId: eth.id })
    await world.catchUp()
  })
  assert.equal((await chainRow(world)).halted, null)
  assert.equal((await chainRow(world)).last_number, 8)
})

test('a new chain starts its confirmation depth below the tip', async t => {
  const world = await followedWorld(t)
  await world.owner.query('update chains set last_number = null, last_hash = null; delete from chain_blocks')
  for (let i = 0; i < 50; i++) world.chain.mine()
  const requested: number[] = []
  const view = new Proxy(world.chain, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        if (name === 'blockAt' || name === 'transfersRange') requested.push(values[0] as number)
        return value.apply(target, values)
      }
    },
  }) as ChainView
  await catchUp(world.deps, view)
  assert.equal(Math.min(...requested), 50 - eth.confirmations)
  assert.equal((await chainRow(world)).last_number, 50)
})
