import assert from 'node:assert/strict'
import { after, afterEach, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Lie, lied, lies } from '@coffer/chains/testing/lies.ts'
import {
  behind,
  failing,
  foreign,
  forkedAbove,
  type Intercept,
  type ProxyNode,
  stuckAt,
} from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { assertBooksAgree } from './testing/invariants.ts'
import { rowsOf } from './testing/money.ts'
import { confirmations, proxiedServer } from './testing/proxied-server.ts'

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
const breaking = (): Fault => ({ breaks: failing })
/** Answers some methods with an error, as a node that does not have them. */
const without =
  (...methods: string[]) =>
  (): Fault => ({
    intercept: ({ method }) =>
      methods.includes(method) ? { error: { code: -32_601, message: 'the method does not exist' } } : undefined,
  })
/** Knows no block's contents. */
const withholds = (): Fault => ({
  intercept: ({ method }) => (/Receipt|TransactionByHash/.test(method) ? { result: null } : undefined),
})

const cases: Case[] = [
  ...lies.map(lie => ({ what: `the first node lies: ${lie}`, bad: [0], fault: telling(lie) })),
  // Which header is the right one is decided by most nodes: of its time two must not lie.
  ...lies
    .filter(lie => lie !== 'time')
    .map(lie => ({ what: `two of three nodes lie: ${lie}`, bad: [0, 1], fault: telling(lie) })),
  { what: 'the first node hangs', bad: [0], fault: hangs },
  { what: 'the first node stands still', bad: [0], fault: height => ({ intercept: stuckAt(height) }) },
  { what: 'the first node is on a fork of its own', bad: [0], fault: height => ({ intercept: forkedAbove(height) }) },
  { what: 'the last node stands still', bad: [2], fault: height => ({ intercept: stuckAt(height) }) },
  { what: 'the last node is on a fork of its own', bad: [2], fault: height => ({ intercept: forkedAbove(height) }) },
  { what: 'the first node is three blocks behind', bad: [0], fault: () => ({ intercept: behind(3) }) },
  { what: 'two of three nodes withhold what blocks hold', bad: [0, 1], fault: withholds },
  { what: 'nodes tell receipts one by one only', bad: [0, 1, 2], fault: without('eth_getBlockReceipts') },
  { what: 'all nodes break one exchange in four', bad: [0, 1, 2], fault: breaking },
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
  let shop: Awaited<ReturnType<typeof proxiedServer>>
  let stop: () => Promise<void>
  const ends: (() => Promise<void> | void)[] = []
  /** What was sent to our addresses: transaction, position, receiver, amount and time of the block. */
  const sent: unknown[][] = []

  before(async () => {
    shop = await proxiedServer({ after: end => ends.push(end) })
    stop = await shop.start()
  })
  afterEach(() => {
    for (const proxy of shop.proxies) proxy.reset()
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  /** Creates three orders. `send` pays two with one transaction and the third in native coin, in one block. */
  async function orders(name: string) {
    const { order, world } = shop
    const [a, b, coin] = [
      await order(`${name} a`, 'USDT'),
      await order(`${name} b`, 'USDT'),
      await order(`${name} c`, 'ETH'),
    ]
    const send = async () => {
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
    }
    return { tradeNos: [a, b, coin].map(each => each.tradeNo), send }
  }

  /** Waits until orders are paid, and compares all deposits with what was sent. */
  async function check(tradeNos: string[], signal: AbortSignal) {
    const { owner, statusOf } = shop
    for (const tradeNo of tradeNos)
      while ((await statusOf(tradeNo)) !== paymentStatus.paid) await sleep(50, undefined, { signal })
    const credited = await rowsOf(owner, 'select txid, ordinal, to_address, amount, block_time, state from deposits')
    const sorted = (rows: unknown[][]) => rows.map(row => row.join(' ')).sort()
    assert.deepEqual(sorted(credited.map(each => Object.values(each))), sorted(sent.map(row => [...row, 'credited'])))
    assert.deepEqual(await rowsOf(owner, 'select kind, detail from incidents'), [])
    assert.deepEqual(await rowsOf(owner, 'select halted from chains'), [{ halted: null }])
    await assertBooksAgree(owner)
  }

  for (const [i, { what, bad, fault, heals }] of cases.entries())
    test(`${what}: nothing is lost, doubled, misplaced or misdated`, { timeout: 60_000 }, async ({ signal }) => {
      const { world, proxies } = shop
      // A node that failed before is asked again after a while.
      for (const proxy of proxies) proxy.asked.length = 0
      while (!proxies.every(proxy => proxy.asked.length > 0)) await sleep(20, undefined, { signal })
      const height = Number(await world.call('eth_blockNumber'))
      for (const at of bad) Object.assign(proxies[at]!, fault(height))
      const heal = () => {
        for (const proxy of proxies) proxy.reset()
      }
      const timer = heals && setTimeout(heal, heals)
      const { tradeNos, send } = await orders(`case ${i}`)
      await send()
      for (let n = 1; n < confirmations; n++) await world.mine(1)
      await check(tradeNos, signal)
      clearTimeout(timer)
    })

  test('what was paid while no server ran is credited through two lying nodes', { timeout: 60_000 }, async ({
    signal,
  }) => {
    const { world, proxies } = shop
    const { tradeNos, send } = await orders('away')
    await stop()
    for (const [at, lie] of (['cut', 'amount'] as const).entries()) Object.assign(proxies[at]!, telling(lie)())
    await send()
    await world.mine(30)
    stop = await shop.start()
    await check(tradeNos, signal)
  })

  test('lies about receipts were told', () => assert.ok(told.size > 0))
})
