import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BlockId } from './chain.ts'
import { Consumer } from './conformance-consumer.ts'
import { defineSandboxChain, ethereum } from './definitions.ts'
import { ChainUnavailable } from './errors.ts'
import { FakeChain } from './fake/chain.ts'
import { NO_FAULTS } from './fake/faults.ts'
import { Follower } from './follower.ts'

const DEPTH = 6
const definition = defineSandboxChain(ethereum, { chainId: 1, confirmations: DEPTH, blockTime: 1, tokens: [] })
const [token, other, payer] = ['11', '22', '99'].map(byte => `0x${byte.repeat(20)}`) as [string, string, string]
const ours = Array.from({ length: 5 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`)
const set = new Set(ours)
const filter = { tokens: [token], native: true, isOurs: (address: string) => set.has(address) }
const pay = (to: string, amount: bigint, of: string | null = token) => [{ token: of, from: payer, to, amount }]
const stop = () => Promise.reject(new Error('stop'))

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pay' as const), to: fc.nat(6), count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: DEPTH - 1 }),
      again: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('take' as const), events: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fresh' as const), is: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('faults' as const), error: fc.integer({ min: 0, max: 4 }), lag: fc.nat(3) }),
  },
)

/** Seconds between two blocks: those of fast ones become final two at once. */
const blockTimes = fc.constantFrom(1, 0.25)

/** Makes a chain know which blocks a quorum has reported: those that were requested by their height. */
function reporting(chain: FakeChain): FakeChain {
  const reported = new Set<string>()
  const blockAt = chain.blockAt.bind(chain)
  chain.blockAt = async number => {
    const block = await blockAt(number)
    if (block) reported.add(block.hash)
    return block
  }
  return Object.assign(chain, { isReported: ({ hash }: BlockId) => reported.has(hash) })
}

/** Ends with a block read ahead from a node that did not have it yet. */
const stale = [
  { do: 'faults' as const, error: 1, lag: 1 },
  { do: 'mine' as const, blocks: 19 },
  { do: 'pay' as const, to: 0, count: 2 },
  { do: 'take' as const, events: 3 },
  { do: 'take' as const, events: 3 },
]

test('credits exactly the final transfers, once, whatever the chain and its nodes do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(step, { maxLength: 60 }), blockTimes, fc.boolean(), async (...made) => {
      const [seed, steps, blockTime, isReporting] = made
      const plain = new FakeChain({ definition: { ...definition, blockTime }, seed })
      const chain = isReporting ? reporting(plain) : plain
      const consumer = new Consumer(chain, filter, 1)
      for (const it of steps) {
        if (it.do === 'pay') {
          const to = ours[it.to] ?? payer
          chain.mine(Array.from({ length: it.count }, (_, i) => pay(to, BigInt(i + 1), i % 3 === 2 ? null : token)))
        } else if (it.do === 'mine') for (let i = 0; i < it.blocks; i++) chain.mine(i % 7 ? [] : [pay(other, 1n)])
        else if (it.do === 'reorg') chain.reorg(it.depth, it.again ? 'again' : 'lost')
        else if (it.do === 'take') for (let i = 0; i < it.events; i++) await consumer.step()
        else if (it.do === 'restart') consumer.restart()
        else if (it.do === 'fresh') consumer.isFresh = it.is
        else
          chain.faults = {
            ...NO_FAULTS,
            error: it.error / 10,
            hang: it.error / 20,
            orphaned: it.error / 10,
            tooLarge: it.error / 10,
            lag: it.lag,
          }
      }
      chain.faults = { ...NO_FAULTS }
      consumer.isFresh = false
      for (let i = 0; i < DEPTH; i++) chain.mine()
      // Of fast blocks, every second one becomes final with the one before.
      if (blockTime < 0.5 && ((await chain.head()).number - DEPTH + 1) % 2 === 1) chain.mine()
      await consumer.catchUp()
      assert.equal(consumer.halted, false)
      const head = await chain.head()
      const { transfers } = await chain.transfersRange(1, head.number - DEPTH + 1, filter)
      const truth = transfers.map(it => `${it.txid} ${it.token} ${it.ordinal} ${it.amount}`).sort()
      const credited = [...consumer.credited].map(([key, it]) => `${key} ${it.amount}`).sort()
      assert.deepEqual(credited, truth)
    }),
    { numRuns: 150, examples: [[1300446252, stale, 1, false]] },
  )
})

test('ranges stay below the confirmation depth', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 100; i++) chain.mine()
  const ranges: [number, number][] = []
  const range = chain.transfersRange.bind(chain)
  chain.transfersRange = (from, to, which) => {
    ranges.push([from, to])
    return range(from, to, which)
  }
  await new Consumer(chain, filter, 0).catchUp()
  assert.ok(ranges.length > 2)
  for (const [from, to] of ranges) assert.ok(to - from > 0 && to <= 100 - DEPTH + 1)
})

test('reads two ranges ahead while catching up', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 300; i++) chain.mine()
  const read: number[] = []
  const range = chain.transfersRange.bind(chain)
  chain.transfersRange = (from, to, which) => {
    read.push(from)
    return range(from, to, which)
  }
  const follower = new Follower({ chain, filter, start: 1, known: [], final: -1, wait: stop })
  const settle = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve()
  }
  await follower.next()
  await settle()
  assert.equal(read.length, 3)
  await follower.next()
  await settle()
  assert.equal(read.length, 4)
})

test('ignores a final height above the known blocks', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  chain.mine()
  const follower = new Follower({ chain, filter, start: 1, known: [], final: 98, wait: stop })
  const event = await follower.next()
  assert.ok(event.type === 'block' && event.final < event.block.number)
})

test('asOf is read when the request starts, not when the event is taken', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 5; i++) chain.mine()
  let known = 100
  const follower = new Follower({ chain, filter, start: 1, known: [], final: -1, wait: stop, asOf: () => known })
  const seen: (number | undefined)[] = []
  for (let i = 0; i < 5; i++) {
    const event = await follower.next()
    seen.push(event.type === 'block' ? event.asOf : undefined)
    known++
  }
  assert.deepEqual(seen, [100, 100, 100, 100, 101])
})

test('reads three blocks ahead near the head, and those of two seconds where blocks are faster', async () => {
  for (const [blockTime, ahead] of [
    [1, 3],
    [0.45, 5],
    [0.25, 8],
  ] as const) {
    const chain = new FakeChain({ definition: { ...definition, confirmations: 20, blockTime }, seed: 1 })
    for (let i = 0; i < 15; i++) chain.mine()
    let read = 0
    const one = chain.transfersIn.bind(chain)
    chain.transfersIn = (block, which) => {
      read++
      return one(block, which)
    }
    const follower = new Follower({ chain, filter, start: 1, known: [], final: -1, wait: stop })
    await follower.next()
    for (let i = 0; i < 50; i++) await Promise.resolve()
    assert.equal(read, 1 + ahead)
  }
})

test('reads nothing ahead while there are as many reads of others, and then again', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 5; i++) chain.mine()
  let read = 0
  const one = chain.transfersIn.bind(chain)
  chain.transfersIn = (block, which) => {
    read++
    return one(block, which)
  }
  const reads = { count: 2, most: 2 }
  const follower = new Follower({ chain, filter, start: 1, known: [], final: -1, wait: stop, reads })
  const settle = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve()
  }
  await follower.next()
  await settle()
  assert.deepEqual([read, reads.count], [2, 2], 'the next one is read')
  reads.count = 0
  await follower.next()
  await settle()
  assert.deepEqual([read, reads.count], [4, 0], 'two are read at once')
})

test('a fresh head is asked for once between two waits', async () => {
  for (const isFresh of [true, false]) {
    const chain = new FakeChain({ definition, seed: 1 })
    chain.mine()
    let heads = 0
    let waits = 0
    const newest = chain.newestHead.bind(chain)
    chain.newestHead = () => {
      heads++
      return newest()
    }
    const wait = async () => {
      waits++
      chain.mine()
    }
    const known = [{ number: 1, hash: (await chain.blockAt(1))!.hash }]
    const follower = new Follower({ chain, filter, start: 1, known, final: -1, wait, isFresh: () => isFresh })
    for (let number = 2; number < 10; number++) {
      const event = await follower.next()
      assert.equal(event.type === 'block' && event.block.number, number)
    }
    assert.deepEqual([heads, waits], [isFresh ? 9 : 16, 8])
  }
})

test('reports and retries a failed read-ahead when its turn comes', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 3; i++) chain.mine()
  const errors: string[] = []
  const one = chain.transfersIn.bind(chain)
  let fail = 0
  chain.transfersIn = (block, which) => {
    if (block.number === 2 && fail++ < 2) return Promise.reject(new ChainUnavailable('no'))
    return one(block, which)
  }
  const waits: [string, number][] = []
  const follower = new Follower({
    chain,
    filter,
    start: 1,
    known: [],
    final: -1,
    wait: async (why, attempt) => void waits.push([why, attempt]),
    onError: error => errors.push(error.message),
  })
  await follower.next()
  await Promise.resolve()
  assert.deepEqual(waits, [])
  const second = await follower.next()
  assert.equal(second.type === 'block' && second.block.number, 2)
  assert.deepEqual(waits, [
    ['error', 0],
    ['error', 1],
  ])
  assert.equal(errors.length, 2)
})

test('does not retry after a bug', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  chain.mine()
  chain.transfersIn = () => Promise.reject(new TypeError('a bug'))
  const follower = new Follower({ chain, filter, start: 1, known: [], final: -1, wait: () => assert.fail('waited') })
  await assert.rejects(follower.next(), TypeError)
})

test('a block below a tip that a quorum has reported is final without a vote, and at its depth', async () => {
  const chain = reporting(new FakeChain({ definition, seed: 1 }))
  chain.mine([pay(ours[0]!, 5n)])
  const consumer = new Consumer(chain, filter, 1)
  let votes = 0
  const agreesOn = chain.agreesOn.bind(chain)
  chain.agreesOn = (block, depth) => {
    votes++
    return agreesOn(block, depth)
  }
  for (let depth = 1; depth < DEPTH; depth++) {
    await consumer.catchUp()
    assert.equal(consumer.credited.size, 0, `at ${depth}`)
    chain.mine()
  }
  await consumer.catchUp()
  assert.deepEqual([consumer.credited.size, votes], [1, 0])
  // What was found by a range, or far below the head, is voted on.
  for (let i = 0; i < 3 * DEPTH; i++) chain.mine()
  await consumer.catchUp()
  assert.ok(votes > 0)
})

test('a block does not become final without a quorum', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  chain.mine([pay(ours[0]!, 5n)])
  for (let i = 0; i < DEPTH; i++) chain.mine()
  const consumer = new Consumer(chain, filter, 1)
  chain.agreesOn = async () => false
  await consumer.catchUp()
  assert.equal(consumer.pauses.at(-1), 'no-quorum')
  assert.equal(consumer.credited.size, 0)
  chain.agreesOn = async () => true
  await consumer.catchUp()
  assert.equal(consumer.credited.size, 1)
})

test('forgets a wrong head that a node reported once', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 10; i++) chain.mine()
  const consumer = new Consumer(chain, filter, 1)
  await consumer.catchUp()
  chain.mine()
  const head = await chain.head()
  const real = chain.head.bind(chain)
  chain.head = async () => {
    chain.head = real
    return { ...head, number: 1_000_000 }
  }
  await consumer.catchUp()
  chain.mine([pay(ours[0]!, 5n)])
  await consumer.catchUp()
  assert.equal(consumer.seen.length, 1)
  assert.equal(consumer.blocks.at(-1)?.number, 12)
})

test('halts on a deep reorg only if a quorum confirms it', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 10; i++) chain.mine()
  const consumer = new Consumer(chain, filter, 1)
  await consumer.catchUp()
  chain.reorg(DEPTH + 1, 'lost')
  chain.isReorgedOut = async () => false
  await consumer.catchUp()
  assert.deepEqual([consumer.halted, consumer.pauses.at(-1)], [false, 'no-quorum'])
  chain.isReorgedOut = async () => true
  await consumer.catchUp()
  assert.equal(consumer.halted, true)
})

test('waits for a shorter fork to reach the known height before rolling back', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  for (let i = 0; i < 10; i++) chain.mine()
  const consumer = new Consumer(chain, filter, 1)
  await consumer.catchUp()
  chain.reorg(3, 'lost', 1)
  assert.deepEqual(await consumer.catchUp(), [])
  assert.equal(consumer.pauses.at(-1), 'behind')
  chain.mine()
  chain.mine()
  const [event] = await consumer.catchUp()
  assert.equal(event?.type === 'reorg' && event.ancestor.number, 7)
})

test('reads all blocks that appeared since a head that was used up, not only the next one', async () => {
  const chain = new FakeChain({ definition, seed: 1 })
  chain.mine()
  const known = [{ number: 1, hash: (await chain.blockAt(1))!.hash }]
  const waits: string[] = []
  const wait = async (why: string) => {
    waits.push(why)
    assert.ok(waits.length < 10, 'waits too often')
    for (let i = 0; i < 3; i++) chain.mine()
  }
  const follower = new Follower({ chain, filter, start: 1, known, final: -1, wait, isFresh: () => true })
  for (let i = 0; i < 12; i++) assert.equal((await follower.next()).type, 'block')
  assert.deepEqual(waits, Array(4).fill('tip'))
})

test('fast blocks become final two at once, with one vote', async () => {
  const chain = new FakeChain({ definition: { ...definition, blockTime: 0.25 }, seed: 1 })
  const votes: number[] = []
  const agreesOn = chain.agreesOn.bind(chain)
  chain.agreesOn = (block, depth) => {
    votes.push(block.number)
    return agreesOn(block, depth)
  }
  const consumer = new Consumer(chain, filter, 1)
  const credits: number[] = []
  for (let i = 0; i < 3 * DEPTH; i++) {
    chain.mine([pay(ours[0]!, BigInt(i + 1))])
    await consumer.catchUp()
    credits.push(consumer.credited.size)
  }
  assert.deepEqual(votes, [2, 4, 6, 8, 10, 12])
  assert.deepEqual(
    credits,
    Array.from({ length: 3 * DEPTH }, (_, i) => Math.max(0, 2 * Math.floor((i + 2 - DEPTH) / 2))),
  )
})
