import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { lyingAnywhere } from '@coffer/chains/testing/lie-seeds.ts'
import { type Lie, lied, lies } from '@coffer/chains/testing/lies.ts'
import {
  type Breaks,
  behind,
  failing,
  foreign,
  forkedAbove,
  type Intercept,
  slow,
  stuckAt,
} from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { suiteScope } from '@coffer/local/testing/scope.ts'
import { until } from '@coffer/local/testing/until.ts'
import { requestChainReread } from './domains/chains/request-reread.ts'
import { readRereadStart } from './domains/chains/store.ts'
import { assertBooksAgree } from './testing/invariants.ts'
import { rowsOf } from './testing/money.ts'
import { confirmations, proxiedServer } from './testing/proxied-server.ts'

type Fault = { intercept: Intercept } | { breaks: Breaks }
/** Which of the three nodes have a fault, the first being queried first; after how long it ends (ms), if it does. */
type Case = { what: string; bad: readonly number[]; fault: (height: number) => Fault; heals?: number }

/** Hosts of nodes that had a fault. A server may report one later, and of both suites. */
const faulty = new Set<string>()
/** Lies that nodes were configured with, and those that they gave about receipts. */
const planned = new Set<Lie>()
const reported = new Set<Lie>()
after(() => assert.ok(planned.size === 0 || reported.size > 0, 'nodes lie about receipts'))
const lying = (lie: Lie) => (): Fault => {
  planned.add(lie)
  return {
    intercept: async ({ method, params }, ask) => {
      if (method === 'eth_getBlockReceipts') reported.add(lie)
      return { result: lied(lie, method, await ask(method, ...params)) }
    },
  }
}
/** Lies in some field of every answer about blocks, each time in another. */
const lyingInEach = (): Fault => {
  const liar = lyingAnywhere('every answer')
  return {
    intercept: async ({ method, params }, ask) => {
      const answer = await ask(method, ...params)
      return { result: liar(method, answer, answer) ?? null }
    },
  }
}
/** Sends transactions of a type that a later fork added, as this version does not know it. */
const unknownType: Intercept = async ({ method, params }, ask) => {
  if (!method.startsWith('eth_getBlockBy')) return undefined
  const block = (await ask(method, ...params)) as { transactions: unknown[] } | null
  const changed = (tx: unknown) => (typeof tx === 'string' ? tx : { ...(tx as object), type: '0x7f' })
  return { result: block && { ...block, transactions: block.transactions.map(changed) } }
}
const hangs = (): Fault => ({ breaks: () => true })
const breaking = (): Fault => ({ breaks: failing(4) })
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
  ...lies.map(lie => ({ what: `the first node lies: ${lie}`, bad: [0], fault: lying(lie) })),
  // Which header is the right one is decided by most nodes: of its time two must not lie.
  ...lies
    .filter(lie => lie !== 'time')
    .map(lie => ({ what: `two of three nodes lie: ${lie}`, bad: [0, 1], fault: lying(lie) })),
  ...[0, 1, 2].map(at => ({ what: `node ${at + 1} of 3 lies in every answer`, bad: [at], fault: lyingInEach })),
  { what: 'the first node hangs', bad: [0], fault: hangs },
  { what: 'the first node stands still', bad: [0], fault: height => ({ intercept: stuckAt(height) }) },
  { what: 'the first node is on a fork of its own', bad: [0], fault: height => ({ intercept: forkedAbove(height) }) },
  { what: 'the last node stands still', bad: [2], fault: height => ({ intercept: stuckAt(height) }) },
  { what: 'the last node is on a fork of its own', bad: [2], fault: height => ({ intercept: forkedAbove(height) }) },
  { what: 'the first node is three blocks behind', bad: [0], fault: () => ({ intercept: behind(3) }) },
  { what: 'two of three nodes withhold what blocks hold', bad: [0, 1], fault: withholds },
  { what: 'nodes return only single receipts', bad: [0, 1, 2], fault: without('eth_getBlockReceipts') },
  { what: 'all nodes break one exchange in four', bad: [0, 1, 2], fault: breaking },
  { what: 'the first node answers for another chain', bad: [0], fault: () => ({ intercept: foreign }) },
  {
    what: 'all nodes answer for another chain, then heal',
    bad: [0, 1, 2],
    fault: () => ({ intercept: foreign }),
    heals: 1_000,
  },
  { what: 'two of three nodes take 1.3 s to answer', bad: [1, 2], fault: () => ({ intercept: slow(1_300) }) },
  { what: 'all nodes hang, then heal', bad: [0, 1, 2], fault: hangs, heals: 1_000 },
  {
    what: 'all nodes limit the rate of requests, then heal',
    bad: [0, 1, 2],
    fault: () => ({ intercept: () => ({ error: { code: -32_005, message: 'limit exceeded' } }) }),
    heals: 1_000,
  },
  {
    what: 'all nodes leave out logs, as one node alone would, then heal',
    bad: [0, 1, 2],
    fault: lying('cut'),
    heals: 1_000,
  },
]

/** Where roots cannot be computed, most nodes decide what a block holds: one may lie, whatever its place. */
const withoutRoots: Case[] = [
  ...[0, 1, 2].map(at => ({ what: `node ${at + 1} of 3 lies in every answer`, bad: [at], fault: lyingInEach })),
  { what: 'the first node hangs', bad: [0], fault: hangs },
  ...lies.map(lie => ({ what: `the first node lies: ${lie}`, bad: [0], fault: lying(lie) })),
  { what: 'two of three nodes take 1.3 s to answer', bad: [1, 2], fault: () => ({ intercept: slow(1_300) }) },
  { what: 'the last node lies: invented', bad: [2], fault: lying('invented') },
]

nodesSuite('bad nodes', { cases, restarts: true })
nodesSuite('bad nodes of a chain without roots', { roots: false, cases: withoutRoots })

interface NodesSuite {
  /** Whether roots of blocks can be computed. */
  roots?: boolean
  cases: Case[]
  /** Whether servers also stop, start and follow each other. */
  restarts?: boolean
}

/** The server with its jobs, on PostgreSQL and a local chain behind three proxies. */
function nodesSuite(name: string, { roots = true, cases, restarts = false }: NodesSuite) {
  suite(name, () => {
    let shop: Awaited<ReturnType<typeof proxiedServer>>
    let stop: () => Promise<void>
    const scope = suiteScope()
    /** What was sent to our addresses: transaction, position, receiver, amount and time of the block. */
    const sent: unknown[][] = []

    before(async () => {
      shop = await proxiedServer(scope, { roots })
      stop = await shop.start()
    })
    beforeEach(() => shop.heal())

    /** Gives a node a fault. */
    function spoil(at: number, fault: Fault): void {
      const proxy = shop.proxies[at]!
      Object.assign(proxy, fault)
      faulty.add(new URL(proxy.url).host)
    }

    /** Creates three orders. `send` pays two with one transaction and the third in native coin, in one block. */
    async function orders(name: string) {
      const { order, world } = shop
      const a = await order(`${name} a`, 'USDT')
      const b = await order(`${name} b`, 'USDT')
      const coin = await order(`${name} c`, 'ETH')
      const send = async () => {
        const { token } = world
        const [both, one] = await world.pay([
          [
            { token, to: a.address, amount: 10_000_000n },
            { token, to: b.address, amount: 10_000_000n },
          ],
          [{ token: null, to: coin.address, amount: 4_000_000_000_000_000n }],
        ])
        const time = String((await last())[2])
        sent.push(
          [both, 0, a.address, '10000000', time],
          [both, 1, b.address, '10000000', time],
          [one, 0, coin.address, '4000000000000000', time],
        )
      }
      return { tradeNos: [a, b, coin].map(each => each.tradeNo), send }
    }

    /** Returns number, hash and time of the last block. */
    async function last() {
      const it = await shop.world.call<Record<'number' | 'hash' | 'timestamp', string>>(
        'eth_getBlockByNumber',
        'latest',
        false,
      )
      return [Number(it.number), it.hash, Number(it.timestamp)] as const
    }

    const untilPaid = async (tradeNos: string[]) => {
      for (const tradeNo of tradeNos)
        await until(
          'the payment is paid',
          () => shop.statusOf(tradeNo),
          status => status === paymentStatus.paid,
        )
    }

    /** Waits until orders are paid, and compares all deposits with what was sent. */
    async function check(tradeNos: string[], expected: string[] = []) {
      const { owner } = shop
      await untilPaid(tradeNos)
      // Without roots, what a node invented may be seen until most nodes deny it.
      const denied = roots ? '' : `where state <> 'dropped'`
      const kinds = ['node_differs', ...(roots ? expected : ['deposit_denied'])]
      const credited = await rowsOf(
        owner,
        `select txid, ordinal, to_address, amount, block_time, from_address, state from deposits ${denied}`,
      )
      /** Coin that no block showed was found by balance. */
      const found = (row: unknown[]) =>
        String(row[0]).startsWith('reconciled:')
          ? [...sent.find(each => each[2] === row[2])!.slice(0, 2), ...row.slice(2, 5), shop.world.payer, row[6]]
          : row
      const sorted = (rows: unknown[][]) => rows.map(row => row.join(' ')).sort()
      assert.deepEqual(
        sorted(credited.map(each => found(Object.values(each)))),
        sorted(sent.map(row => [...row, shop.world.payer.toLowerCase(), 'credited'])),
      )
      assert.deepEqual(await rowsOf(owner, 'select kind, detail from incidents where kind <> all($1)', [kinds]), [])
      const named = await rowsOf(owner, "select detail ->> 'node' as node from incidents where kind = 'node_differs'")
      for (const { node } of named) assert.ok(faulty.has(node), `${node} told the truth`)
      assert.deepEqual(await rowsOf(owner, 'select halted from chains'), [{ halted: null }])
      await assertBooksAgree(owner)
    }

    for (const [i, { what, bad, fault, heals }] of cases.entries())
      test(`${what}: nothing is lost, doubled, misplaced or misdated`, async () => {
        const { world, proxies } = shop
        const height = Number(await world.call('eth_blockNumber'))
        for (const at of bad) spoil(at, fault(height))
        const heal = () => {
          for (const proxy of proxies) proxy.reset()
        }
        const timer = heals && setTimeout(heal, heals)
        const { tradeNos, send } = await orders(`case ${i}`)
        await send()
        for (let n = 1; n < confirmations; n++) await world.mine(1)
        await check(tradeNos)
        clearTimeout(timer)
      })

    if (!restarts) return

    test('what was paid while no server ran is credited through two lying nodes', async () => {
      const { world } = shop
      const { tradeNos, send } = await orders('away')
      await stop()
      for (const [at, lie] of (['cut', 'amount'] as const).entries()) spoil(at, lying(lie)())
      await send()
      await world.mine(30)
      stop = await shop.start()
      await check(tradeNos)
    })

    test('after a fork that this version does not know payments are credited by agreement, beside a lying node', async () => {
      const { world, proxies } = shop
      const { tradeNos, send } = await orders('fork')
      for (const proxy of proxies) proxy.intercept = unknownType
      await send()
      await until('most nodes must agree from now on', () => !shop.chain().isVerified)
      spoil(0, lying('receiver')())
      await world.mine(confirmations)
      await untilPaid(tradeNos)
      await shop.heal()
      // A server of a version that knows the fork.
      await stop()
      stop = await shop.start()
      await check(tradeNos)
    })

    test('another server takes over while one node hangs and one lies', async () => {
      const { world } = shop
      const { tradeNos, send } = await orders('taken over')
      const former = stop
      stop = await shop.start()
      spoil(0, hangs())
      spoil(1, lying('amount')())
      await send()
      await former()
      await world.mine(confirmations)
      await check(tradeNos)
    })

    test('blocks that were read wrong are read again through two lying nodes, and what is right stays', async () => {
      const { world, owner } = shop
      const { tradeNos, send } = await orders('again')
      await stop()
      await send()
      await world.mine(12)
      // As a version that believed logs left them out: read up to here, and nothing found.
      const [number, hash, timestamp] = await last()
      await owner.query('delete from chain_blocks')
      await owner.query('update chains set last_number = $1, last_hash = $2, last_time = $3, final_number = $4', [
        number,
        hash,
        timestamp,
        number - confirmations + 1,
      ])
      stop = await shop.start()
      for (const [at, lie] of (['cut', 'receiver'] as const).entries()) spoil(at, lying(lie)())
      await requestChainReread({ pool: owner, clock: () => timestamp }, { chainId: 'eth', block: 0, apply: true })
      await check(tradeNos, ['surplus'])
      await until('all blocks are read again', async () => (await readRereadStart(owner, 'eth')) === null)
      await check(tradeNos, ['surplus'])
      await owner.query('delete from incidents')
    })
  })
}
