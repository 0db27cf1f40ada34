import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ethereum, sandboxOf } from '@coffer/chains'
import { makeWorld, type World } from '@coffer/chains/testing/evm-harness.ts'
import { type Lie, lied, lies } from '@coffer/chains/testing/lies.ts'
import {
  foreign,
  forkedAbove,
  type Intercept,
  type ProxyNode,
  startProxy,
  stuckAt,
} from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { withAnvil } from '@coffer/local/testing/anvil.ts'
import type pg from 'pg'
import { readConfig } from './config.ts'
import { makeDeps } from './make-deps.ts'
import { serve } from './serve.ts'
import { Keys } from './signer/keys.ts'
import { testDatabase } from './testing/deps.ts'
import { assertBooksAgree } from './testing/invariants.ts'
import { testApplication, testMerchant } from './testing/merchants.ts'
import { fixedPrices, rowsOf } from './testing/money.ts'

const confirmations = 4

type Fault = { intercept: Intercept } | { breaks: ProxyNode['breaks'] }
/** Which of the three nodes have a fault, the first being asked first; after how long it ends (ms), if it does. */
type Case = { what: string; bad: readonly number[]; fault: (height: number) => Fault; heals?: number }

/** Lies that were told about receipts. */
const told = new Set<Lie>()
const telling = (lie: Lie) => (): Fault => ({
  intercept: async ({ method, params }, ask) => {
    if (method === 'eth_getBlockReceipts') told.add(lie)
    return { result: lied(lie, method, await ask(method, ...params)) }
  },
})
const hangs = (): Fault => ({ breaks: () => true })

const cases: Case[] = [
  ...lies.map(lie => ({ what: `the first node lies: ${lie}`, bad: [0], fault: telling(lie) })),
  // Which header is the right one is decided by most nodes: of its time two must not lie.
  ...lies
    .filter(lie => lie !== 'time')
    .map(lie => ({ what: `two of three nodes lie: ${lie}`, bad: [0, 1], fault: telling(lie) })),
  { what: 'the first node hangs', bad: [0], fault: hangs },
  { what: 'the first node stands still', bad: [0], fault: height => ({ intercept: stuckAt(height) }) },
  { what: 'the first node is on a fork of its own', bad: [0], fault: height => ({ intercept: forkedAbove(height) }) },
  { what: 'the first node answers for another chain', bad: [0], fault: () => ({ intercept: foreign }) },
  {
    what: 'all nodes answer for another chain, then heal',
    bad: [0, 1, 2],
    fault: () => ({ intercept: foreign }),
    heals: 3_000,
  },
  { what: 'all nodes hang, then heal', bad: [0, 1, 2], fault: hangs, heals: 3_000 },
]

/** The server with its jobs, on PostgreSQL and a local chain behind three proxies. */
suite('bad nodes', () => {
  let world: World
  let proxies: ProxyNode[]
  let owner: pg.Pool
  let call: (path: string, body?: object) => Promise<Record<string, unknown>>
  const ends: (() => unknown)[] = []
  /** What was sent to our addresses: transaction, position, receiver, amount and time of the block. */
  const sent: unknown[][] = []

  before(async () => {
    const scope = { after: (end: () => Promise<void> | void) => void ends.push(end) }
    world = await makeWorld((await withAnvil(scope)).url)
    proxies = await Promise.all([1, 2, 3].map(() => startProxy(world.url)))
    ends.push(() => Promise.all(proxies.map(proxy => proxy.stop())))
    const folder = await mkdtemp(join(tmpdir(), 'coffer-nodes-'))
    ends.push(() => rm(folder, { recursive: true }))
    const database = await testDatabase(scope)
    owner = database.owner
    const config = readConfig({ DATABASE_URL: database.url, COFFER_DATA: folder, COFFER_LOG: 'silent' })
    const tokens = [{ symbol: 'USDT', contract: world.token, decimals: 6 }]
    const definition = sandboxOf(ethereum, { chainId: 31_337, confirmations, blockTime: 1, tokens })
    const outside = {
      mail: { send: async () => {}, check: async () => {} },
      text: { send: async () => {} },
      signIn: null,
      priceSources: [],
      chains: [{ definition, nodes: proxies.map(({ url }) => ({ url })) }],
      xpubs: { evm: new Keys(Buffer.alloc(64, 7)).xpub('evm') },
    }
    const made = makeDeps({ ...config, port: 0 }, outside)
    const deps = { ...made, prices: fixedPrices({ USDT: '1', ETH: '2500' }, made.clock) }
    const { app, stop } = await serve(deps, outside)
    ends.push(async () => {
      await stop()
      await made.prices.stop()
    })
    while (!(await rowsOf(owner, 'select from chains where read_at > 0')).length) await sleep(50)
    const { key } = await testApplication(deps, (await testMerchant(deps)).id)
    const url = app.listeningOrigin
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    call = async (path, body) => {
      const answer = await fetch(`${url}/api/v1/pay/orders${path}`, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const { code, message, data } = (await answer.json()) as {
        code: number
        message: string
        data: Record<string, unknown>
      }
      assert.equal(answer.status, 200, `${code} ${message}`)
      return data
    }
  })
  afterEach(() => {
    for (const proxy of proxies) proxy.reset()
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  const order = async (name: string, token: 'USDT' | 'ETH') => {
    const made = await call('', { out_trade_no: name, amount: '10', currency: 'USDT', chain: 'eth', token })
    return { tradeNo: String(made.trade_no), address: String(made.address).toLowerCase() }
  }
  const statusOf = async (tradeNo: string) => (await call(`/${tradeNo}`)).status
  const blockNumber = async () => Number(await world.call('eth_blockNumber'))

  /** Pays two orders with one transaction and a third in native coin, in one block. */
  async function pay(name: string): Promise<string[]> {
    const [a, b, coin] = [
      await order(`${name} a`, 'USDT'),
      await order(`${name} b`, 'USDT'),
      await order(`${name} c`, 'ETH'),
    ]
    const { token } = world
    const [both, one] = await world.pay([
      [
        { token, to: a.address, amount: 10_000_000n },
        { token, to: b.address, amount: 10_000_000n },
      ],
      [{ token: null, to: coin.address, amount: 4_000_000_000_000_000n }],
    ])
    const { timestamp } = await world.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
    const time = String(Number(timestamp))
    sent.push(
      [both, 0, a.address, '10000000', time],
      [both, 1, b.address, '10000000', time],
      [one, 0, coin.address, '4000000000000000', time],
    )
    return [a, b, coin].map(each => each.tradeNo)
  }

  for (const [i, { what, bad, fault, heals }] of cases.entries())
    test(`${what}: nothing is lost, doubled, misplaced or misdated`, { timeout: 60_000 }, async ({ signal }) => {
      const height = await blockNumber()
      // A node that failed before is asked again after a while.
      for (const proxy of proxies) proxy.asked.length = 0
      while (!proxies.every(proxy => proxy.asked.length > 0)) await sleep(20, undefined, { signal })
      for (const at of bad) Object.assign(proxies[at]!, fault(height))
      const heal = () => {
        for (const proxy of proxies) proxy.reset()
      }
      const timer = heals && setTimeout(heal, heals)
      const tradeNos = await pay(`case ${i}`)
      for (let n = 1; n < confirmations; n++) await world.mine(1)
      for (const tradeNo of tradeNos)
        while ((await statusOf(tradeNo)) !== paymentStatus.paid) await sleep(50, undefined, { signal })
      clearTimeout(timer)
      heal()
      const credited = await rowsOf(owner, 'select txid, ordinal, to_address, amount, block_time, state from deposits')
      const found = credited.map(each => Object.values(each))
      const sorted = (rows: unknown[][]) => rows.map(row => row.join(' ')).sort()
      assert.deepEqual(sorted(found), sorted(sent.map(row => [...row, 'credited'])))
      assert.deepEqual(await rowsOf(owner, 'select kind, detail from incidents'), [])
      assert.deepEqual(await rowsOf(owner, 'select halted from chains'), [{ halted: null }])
      await assertBooksAgree(owner)
    })

  test('lies about receipts were told', () => assert.ok(told.size > 0))
})
