// second-server: which advisory locks and transactions end with a lost, cut or frozen connection
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { suite, type TestContext, test } from 'node:test'
import { ChainUnavailable, type ChainView } from '@coffer/chains'
import { until } from '@coffer/local/testing/until.ts'
import type { Deps } from '../../deps.ts'
import { PresenceLock } from '../../kit/presence.ts'
import { rankWork, ServerShare } from '../../kit/work-share.ts'
import { connectionPoolSizes, idleTransactionTimeoutMs, makePool } from '../../make-deps.ts'
import { cutProxy } from '../../testing/cut-proxy.ts'
import { followedWorld, payer, withMethods } from '../../testing/followed.ts'
import { eth, firstRow } from '../../testing/money.ts'
import { chainLeaseSeconds, leaseChain, releaseChainLease, renewChainLease } from '../chains/store.ts'
import { syncChains } from '../chains/sync-chains.ts'
import { followWork, leaseRenewalMs, lockLeasedChain } from './chain-lease.ts'
import { followChains, leaseRetryPauseMs, pollPauseMaxMs, stuckAfterMs } from './follow.ts'

type World = Awaited<ReturnType<typeof followedWorld>>
const chainRow = ({ owner }: World) => firstRow(owner, 'select * from chains where id = $1', [eth.id])

/** Follows a chain as a server does. The returned function stops it. */
function start(t: TestContext, world: World, chain: ChainView = world.chain, deps: Deps = world.deps) {
  const stop = new AbortController()
  const done = followChains(deps, [chain], stop.signal)
  const end = async () => {
    stop.abort()
    await done
  }
  t.after(end)
  return end
}

const untilRead = (world: World, block: number) =>
  until(
    `block ${block} is read`,
    async () => (await chainRow(world)).last_number,
    last => last === block,
  )

/**
 * Starts another process that leases the chain, for some seconds more than usual, and waits in the transaction of a new
 * block.
 */
async function anotherProcess(t: TestContext, world: World, more = 0) {
  const { final_number: final } = await chainRow(world)
  world.chain.mine()
  const block = await world.chain.head()
  const event = {
    type: 'block',
    from: block.number,
    parentHash: block.parentHash,
    block,
    transfers: [],
    asOf: 1_000,
    final,
    settled: [],
    settledFrom: block.number,
  }
  const script = new URL('../../testing/frozen-follower.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, world.deps.url, JSON.stringify(event), String(more)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  assert.deepEqual(await once(lines, 'line'), ['in its transaction'])
  return { child, lines, isRead: async () => (await chainRow(world)).last_number >= block.number }
}

suite('lease of a chain', { concurrency: true }, () => {
  test('one process has it until it ends, runs out, or its process is gone, and each has a higher fence', async t => {
    const { deps, owner } = await followedWorld(t)
    const { pool } = deps
    const a = new PresenceLock(deps)
    const b = new PresenceLock(deps)
    t.after(() => Promise.all([a.end(), b.end()]))
    const lease = async (by: PresenceLock) => (await leaseChain(pool, eth.id, await by.key(), true))?.fence
    assert.equal(await lease(a), 1)
    assert.equal(await lease(b), undefined)
    assert.equal(await renewChainLease(pool, eth.id, 1, await a.key()), 1)
    await owner.query('update chains set leased_until = leased_until - 11 where id = $1', [eth.id])
    assert.equal(await lease(b), 2)
    assert.equal(await renewChainLease(pool, eth.id, 1, await a.key()), 0)
    assert.equal(await releaseChainLease(pool, eth.id, 1, false), 0)
    assert.equal(await lease(a), undefined)
    assert.equal(await releaseChainLease(pool, eth.id, 2, false), 1)
    assert.equal(await lease(a), 3)
    await assert.rejects(lockLeasedChain(pool, eth.id, 2), { name: 'OutOfOrder' })
    assert.equal((await lockLeasedChain(pool, eth.id, 3)).fence, 3)
    await a.end()
    assert.equal(await lease(b), 4)
  })

  test('presence is held again under another key after its connection was lost', async t => {
    const { deps, owner } = await followedWorld(t)
    const presence = new PresenceLock(deps)
    t.after(() => presence.end())
    const key = await presence.key()
    assert.equal(await presence.key(), key)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and (classid::bigint << 32) + objid::bigint = $1`,
      [key],
    )
    await until('presence has another key', async () => (await presence.key()) !== key)
  })

  test('of two servers one follows, and the other one goes on when it stops', async t => {
    const world = await followedWorld(t)
    const stopFirst = start(t, world)
    world.chain.mine()
    await untilRead(world, 1)
    start(t, world)
    const { fence } = await chainRow(world)
    world.chain.mine()
    await untilRead(world, 2)
    assert.equal((await chainRow(world)).fence, fence)
    await stopFirst()
    world.chain.mine()
    await untilRead(world, 3)
  })

  test('a server that reaches no node leaves the chain to one that does', async t => {
    const world = await followedWorld(t)
    world.chain.mine()
    const head = () => Promise.reject(new ChainUnavailable('cut off'))
    start(t, world, withMethods(world.chain, { head }))
    await until('the chain is leased', async () => (await chainRow(world)).leased_until > 0)
    start(t, world)
    await untilRead(world, 1)
  })

  test('a server whose nodes hang, or whose write does, leaves the chain to another one', async t => {
    for (const what of ['nodes', 'write'] as const) {
      const world = await followedWorld(t)
      world.chain.mine()
      const { promise: never, reject } = Promise.withResolvers<never>()
      never.catch(() => {})
      const { pool } = world.deps
      const connect = () => never
      const stuck = new Proxy(pool, {
        get: (target, name) => {
          const value = name === 'connect' ? connect : Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      const stop = new AbortController()
      const chain =
        what === 'nodes' ? withMethods(world.chain, { head: () => never, newestHead: () => never }) : world.chain
      const done = followChains({ ...world.deps, ...(what === 'write' && { pool: stuck }) }, [chain], stop.signal)
      t.after(async () => {
        stop.abort()
        reject(new ChainUnavailable('the test has ended'))
        await done
      })
      await until('the chain is leased', async () => (await chainRow(world)).leased_until > 0)
      start(t, world)
      await untilRead(world, 1)
    }
  })

  test('a chain is handed to the server that should follow it, and back from one that cannot', async t => {
    const world = await followedWorld(t)
    const { deps, owner } = world
    const [first, second] = Array.from({ length: 2 }, (_, port) => new ServerShare(deps, { port })).sort(
      (one, other) => (rankWork(one.id, followWork(eth.id)) < rankWork(other.id, followWork(eth.id)) ? -1 : 1),
    ) as [ServerShare, ServerShare]
    t.after(() => Promise.all([first.end(), second.end()]))
    await first.beat()
    start(t, world, world.chain, { ...deps, share: first })
    world.chain.mine()
    await untilRead(world, 1)
    const holder = async () => (await chainRow(world)).leased_by
    assert.equal(await holder(), await first.presence.key())
    start(t, world, world.chain, { ...deps, share: second })
    const beats = async () => {
      await second.beat()
      await owner.query('update servers set started_at = started_at - 10')
      for (const each of [second, first]) await each.beat()
    }
    await beats()
    await until('the second one follows', async () => (await holder()) === (await second.presence.key()))
    world.chain.mine()
    await untilRead(world, 2)
    second.decline(followWork(eth.id), 60_000)
    await beats()
    await until('the first one follows again', async () => (await holder()) === (await first.presence.key()))
    world.chain.mine()
    await untilRead(world, 3)
  })

  test('a halted chain is not leased', async t => {
    const world = await followedWorld(t)
    await world.owner.query(`update chains set halted = 'deep reorg'`)
    const { fence } = await chainRow(world)
    let queries = 0
    const { pool } = world.deps
    const counted = new Proxy(pool, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name === 'query') queries++
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const stop = new AbortController()
    const done = followChains({ ...world.deps, pool: counted }, [world.chain], stop.signal)
    await until('the state of the chain is read twice', () => queries >= 2)
    stop.abort()
    await done
    assert.equal((await chainRow(world)).fence, fence)
  })

  test('a process that is killed in its transaction costs others nothing', async t => {
    const world = await followedWorld(t)
    const { child, isRead } = await anotherProcess(t, world, 3_600)
    child.kill('SIGKILL')
    start(t, world)
    await until('the block is read', isRead)
  })

  test('a process frozen in its transaction keeps nobody from starting and following, and writes nothing afterwards', async t => {
    const world = await followedWorld(t)
    const { child, lines, isRead } = await anotherProcess(t, world)
    child.kill('SIGSTOP')
    await syncChains(world.deps)
    const frozen = `select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
    assert.equal((await firstRow(world.owner, frozen)).n, 1)
    const stop = start(t, world)
    await until('the block is read', isRead)
    await stop()
    const after = await chainRow(world)

    child.stdin.write('go on\n')
    child.kill('SIGCONT')
    const [line] = await once(lines, 'line')
    assert.deepEqual(JSON.parse(line), {
      result: 'refused',
      again: `${eth.id} is followed by another process`,
      touched: 0,
    })
    assert.deepEqual(await chainRow(world), after)
  })

  test('a server whose connections are cut in its transaction, without an end, leaves the chain to another one', async t => {
    const world = await followedWorld(t)
    const proxy = await cutProxy(t, world.deps.url, 'chain-append')
    const cut = makePool(proxy.url, world.deps.log, connectionPoolSizes.chains)
    const stop = new AbortController()
    const done = followChains({ ...world.deps, pool: cut }, [world.chain], stop.signal)
    t.after(async () => {
      stop.abort()
      await done
      await cut.end()
    })
    const { address: to } = await world.pay()
    await until('the chain is leased', async () => (await chainRow(world)).leased_until > 0)
    // A block without deposits takes no transaction of several statements.
    world.chain.mine([[{ token: eth.tokens[0]!.contract, from: payer, to, amount: 10_000_000n }]])
    await until('the connections are cut', proxy.isCut)
    assert.equal((await chainRow(world)).last_number, 0)
    start(t, world)
    await untilRead(world, 1)
  })

  test('another process takes over within 15 seconds, by the limits of polls, lease and connections', () => {
    const rounding = 1_000
    // The last renewal is at most so long after the last sign of life; the lease then runs out and is taken at the next
    // poll.
    assert.ok(pollPauseMaxMs + stuckAfterMs + chainLeaseSeconds * 1_000 + rounding + leaseRetryPauseMs < 15_000)
    // What its holder locked is free after the statement that was under way and the longest pause in a transaction.
    assert.ok(connectionPoolSizes.chains.statementMs + idleTransactionTimeoutMs + leaseRetryPauseMs < 15_000)
    assert.ok(leaseRenewalMs < chainLeaseSeconds * 1_000)
  })
})
