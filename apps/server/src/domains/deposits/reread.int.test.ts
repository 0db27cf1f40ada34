import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseTooLarge } from '@coffer/chains'
import { until } from '@coffer/local/testing/until.ts'
import type { Deps } from '../../deps.ts'
import { followedWorld, payer } from '../../testing/followed.ts'
import { eth, rowsOf } from '../../testing/money.ts'
import { requestChainReread } from '../chains/request-reread.ts'
import { readRereadStart, readSwitch, requestReread, rereadApplySwitchName, setSwitch } from '../chains/store.ts'
import { rereadAllChains } from './reread.ts'

const untilReread = ({ pool }: Pick<Deps, 'pool'>) =>
  until(
    'all blocks are read again',
    () => readRereadStart(pool, eth.id),
    from => from === null,
  )

test('the job re-reads the requested blocks, in smaller ranges when a node refuses large ones', async t => {
  const world = await followedWorld(t)
  const { chain } = world
  const deps = { ...world.deps, chains: new Map([[eth.id, chain]]) }
  const order = await world.pay()
  t.mock.method(chain, 'transfersIn', async () => ({ transfers: [], scanned: 0 }))
  chain.mine([[{ token: eth.tokens[0]!.contract, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  await world.confirm()
  t.mock.restoreAll()
  for (let i = 0; i < 40; i++) chain.mine()
  await world.catchUp()
  const range = chain.transfersRange.bind(chain)
  const sizes: number[] = []
  t.mock.method(chain, 'transfersRange', async (from: number, to: number, filter: Parameters<typeof range>[2]) => {
    sizes.push(to - from + 1)
    if (to - from >= 10) throw new ResponseTooLarge('too many blocks')
    return range(from, to, filter)
  })
  assert.ok(await requestReread(deps.pool, eth.id, 0))
  await setSwitch(deps.pool, rereadApplySwitchName(eth.id), 'operator', deps.clock())
  const stop = new AbortController()
  const job = rereadAllChains(deps, stop.signal)
  t.after(async () => {
    stop.abort()
    await job
  })
  await untilReread(deps)
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.deepEqual(sizes.slice(0, 4), [42, 32, 16, 8])
  await until('the switch is off', async () => !(await readSwitch(deps.pool, rereadApplySwitchName(eth.id))))
  assert.ok(await requestReread(deps.pool, eth.id, 0))
  await untilReread(deps)
})

test('a request made while the job reads counts: a preview repairs nothing, and "apply" is not forgotten', async t => {
  const world = await followedWorld(t)
  const { chain, owner } = world
  const deps = { ...world.deps, chains: new Map([[eth.id, chain]]) }
  const order = await world.pay()
  t.mock.method(chain, 'transfersIn', async () => ({ transfers: [], scanned: 0 }))
  chain.mine([[{ token: eth.tokens[0]!.contract, from: payer, to: order.address, amount: 10_000_000n }]])
  await world.catchUp()
  await world.confirm()
  t.mock.restoreAll()
  const range = chain.transfersRange.bind(chain)
  /** Runs the job until it has read all, and requests the same again during its first range. */
  const readWhile = async (apply: boolean) => {
    let requested = false
    const { mock } = t.mock.method(chain, 'transfersRange', async (...given: Parameters<typeof range>) => {
      const scan = await range(...given)
      if (!requested) await requestChainReread(deps, { chainId: eth.id, block: 0, apply })
      requested = true
      return scan
    })
    const stop = new AbortController()
    const job = rereadAllChains(deps, stop.signal)
    await untilReread(deps)
    stop.abort()
    await job
    mock.restore()
  }
  await requestChainReread(deps, { chainId: eth.id, block: 0, apply: true })
  await readWhile(false)
  assert.equal((await world.payment(order.trade_no)).paid_amount, '0')
  assert.deepEqual(
    (await rowsOf(owner, 'delete from incidents returning kind')).map(each => each.kind),
    ['reread_preview'],
  )
  await requestChainReread(deps, { chainId: eth.id, block: 0, apply: false })
  await readWhile(true)
  assert.equal((await world.payment(order.trade_no)).state, 'paid')
  assert.equal(await readSwitch(deps.pool, rereadApplySwitchName(eth.id)), undefined)
})
