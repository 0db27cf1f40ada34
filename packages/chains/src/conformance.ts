import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { BlockRef, ChainView, Transfer } from './chain.ts'
import { Book } from './conformance-book.ts'
import { BlockGone, CallRefused } from './errors.ts'

export type Payment = { token: string | null; to: string; amount: bigint }

/** A chain under test, and hands that can do to it what the world does. Its definition asks for 4 confirmations. */
export type Harness = {
  chain: ChainView
  /** Whether balances of past blocks can be asked for. */
  remembers: boolean
  /** A token that counts, one that keeps a part of every transfer and counts, and one that nobody listed. */
  token: string
  feeToken: string
  foreign: string
  /** Makes one block of these transactions, each a list of payments; gives their ids. */
  pay: (transactions: Payment[][], how?: 'succeeds' | 'reverts') => Promise<string[]>
  mine: (blocks: number) => Promise<void>
  /** Replaces the last blocks; their transactions are lost, or mined again in the new ones. */
  reorg: (depth: number, transactions: 'lost' | 'again') => Promise<void>
  /** Lets nodes behave again, fail every other time, or be so many blocks behind. */
  nodes: (how: 'well' | 'failing' | { behind: number }) => Promise<void>
  stop: () => Promise<void>
}

const DEPTH = 4

/** Runs everything that holds for every chain. `open` starts a chain of its own for the run. */
export function conformance(name: string, open: () => Promise<Harness>): void {
  suite(`every chain: ${name}`, () => {
    let it: Harness
    let serial = 0
    before(async () => {
      it = await open()
    })
    after(() => it.stop())

    /** An address that nothing was paid to before. */
    const address = () => `0x${(0xc0ffee0000 + ++serial).toString(16).padStart(40, '0')}`
    const follow = async (...ours: string[]) => {
      const set = new Set(ours)
      const filter = { tokens: [it.token, it.feeToken], native: true, isOurs: (to: string) => set.has(to) }
      return new Book(it.chain, filter, (await it.chain.head()).number + 1)
    }
    const short = (transfers: Transfer[]) =>
      transfers.map(({ token, to, amount, ordinal }) => ({ token, to, amount, ordinal }))

    test('a token and the native coin are seen with all that is needed', async () => {
      const ours = address()
      const book = await follow(ours)
      const [first, second] = await it.pay([
        [{ token: it.token, to: ours, amount: 5_000_000n }],
        [{ token: null, to: ours, amount: 123n }],
      ])
      await book.catchUp()
      const block = await it.chain.head()
      const seen = book.seen.toSorted((a, b) => Number(a.token === null) - Number(b.token === null))
      assert.equal(seen.length, 2)
      const place = {
        chain: it.chain.definition.id,
        blockNumber: block.number,
        blockHash: block.hash,
        blockTime: block.time,
      }
      for (const [i, txid, token, amount] of [
        [0, first, it.token, 5_000_000n],
        [1, second, null, 123n],
      ] as const) {
        const { from, logIndex, ...rest } = seen[i]!
        assert.deepEqual(rest, { ...place, txid, token, to: ours, amount, ordinal: 0 })
        assert.match(from, /^0x[0-9a-f]{40}$/)
        assert.equal(logIndex < 0, token === null)
      }
    })

    test('several transfers in one transaction are told apart', async () => {
      const [a, b] = [address(), address()]
      const book = await follow(a, b)
      const others = address()
      const amounts = [
        [a, 1n],
        [others, 2n],
        [b, 3n],
        [a, 4n],
      ] as const
      const [txid] = await it.pay([amounts.map(([to, amount]) => ({ token: it.token, to, amount }))])
      await book.catchUp()
      assert.ok(book.seen.every(transfer => transfer.txid === txid))
      assert.equal(new Set(book.seen.map(transfer => transfer.logIndex)).size, 3)
      assert.deepEqual(short(book.seen), [
        { token: it.token, to: a, amount: 1n, ordinal: 0 },
        { token: it.token, to: b, amount: 3n, ordinal: 2 },
        { token: it.token, to: a, amount: 4n, ordinal: 3 },
      ])
    })

    test('what was reverted, is of another token, is nothing, or goes to others is not seen', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 7n }]], 'reverts')
      await it.pay([[{ token: null, to: ours, amount: 7n }]], 'reverts')
      await it.pay([[{ token: it.foreign, to: ours, amount: 7n }]])
      await it.pay([[{ token: it.token, to: ours, amount: 0n }]])
      await it.pay([[{ token: it.token, to: address(), amount: 7n }]])
      await book.catchUp()
      assert.deepEqual(book.seen, [])
      assert.equal(book.blocks.at(-1)!.number, (await it.chain.head()).number)
    })

    test('of a token that keeps a part, what arrived counts', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.pay([[{ token: it.feeToken, to: ours, amount: 10_000n }]])
      await book.catchUp()
      assert.deepEqual(short(book.seen), [{ token: it.feeToken, to: ours, amount: 9_900n, ordinal: 0 }])
      assert.equal(await it.chain.balanceOf(it.feeToken, ours), 9_900n)
    })

    test('catching up far back and following the tip see the same, once', async () => {
      const ours = address()
      const [live, late] = [await follow(ours), await follow(ours)]
      for (let round = 1; round <= 12; round++) {
        await it.pay([
          [{ token: it.token, to: ours, amount: BigInt(round) }],
          [{ token: null, to: ours, amount: BigInt(round) }],
        ])
        await it.mine(round % 5)
        await live.catchUp()
      }
      await it.mine(DEPTH)
      await live.catchUp()
      const events = await late.catchUp()
      const total = (book: Book, token: string | null) =>
        [...book.credited.values()].filter(t => t.token === token).reduce((sum, t) => sum + t.amount, 0n)
      for (const book of [live, late]) for (const token of [it.token, null]) assert.equal(total(book, token), 78n)
      assert.ok(events.length < 30, 'ranges were read, not single blocks')
      assert.deepEqual([...late.credited.keys()].sort(), [...live.credited.keys()].sort())
    })

    test('a deposit is final when its depth is reached, and not a block before', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      for (let depth = 1; depth < DEPTH; depth++) {
        await book.catchUp()
        assert.equal(book.credited.size, 0, `at ${depth}`)
        await it.mine(1)
      }
      await book.catchUp()
      assert.equal(book.credited.size, 1)
    })

    test('a reorg takes back what was seen, and what is mined again is seen again, once', async () => {
      const ours = address()
      const book = await follow(ours)
      const payment = { token: it.token, to: ours, amount: 5n }
      const [txid] = await it.pay([[payment, { ...payment, amount: 6n }]])
      await it.mine(1)
      await book.catchUp()
      const before = book.seen
      // All blocks that the book has: it must begin again below them.
      await it.reorg(2, 'again')
      const [event] = await book.catchUp()
      assert.equal(event?.type, 'reorg')
      assert.deepEqual(
        book.seen.map(t => [t.txid, t.ordinal, t.amount]),
        [
          [txid, 0, 5n],
          [txid, 1, 6n],
        ],
      )
      assert.notEqual(book.seen[0]!.blockHash, before[0]!.blockHash)

      await it.mine(1)
      await book.catchUp()
      await it.reorg(2, 'lost')
      const [shallow] = await book.catchUp()
      assert.equal(shallow?.type === 'reorg' && shallow.dropped.length, 2)
      assert.equal(book.seen.length, 2)
      await it.reorg(3, 'lost')
      await book.catchUp()
      assert.deepEqual(book.seen, [])
      await it.mine(DEPTH)
      await book.catchUp()
      assert.equal(book.credited.size, 0)
    })

    test('a reorg while nobody looked is found after a restart', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      await it.mine(1)
      await book.catchUp()
      await it.reorg(2, 'lost')
      await it.mine(6)
      book.restart()
      const [event] = await book.catchUp()
      assert.equal(event?.type, 'reorg')
      assert.deepEqual([book.seen, book.credited.size], [[], 0])
    })

    test('a reorg of what was final halts', async () => {
      const book = await follow(address())
      await it.mine(DEPTH + 2)
      await book.catchUp()
      const { final } = book
      await it.reorg(DEPTH + 1, 'lost')
      const events = await book.catchUp()
      assert.deepEqual(
        events.map(event => event.type),
        ['deep-reorg'],
      )
      assert.equal(book.final, final)
      assert.deepEqual(await book.step(), events[0], 'and stays halted')
    })

    test('a node that is behind is waited for, and nothing is unwound', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      await it.mine(2)
      await book.catchUp()
      await it.nodes({ behind: 2 })
      assert.deepEqual(await book.catchUp(), [])
      assert.equal(book.pauses.at(-1), 'behind')
      await it.nodes('well')
      await it.mine(2)
      const events = await book.catchUp()
      assert.deepEqual([...new Set(events.map(event => event.type))], ['block'])
      assert.equal(book.credited.size, 1)
    })

    test('failing nodes delay, and lose nothing', async () => {
      const ours = address()
      const book = await follow(ours)
      await it.nodes('failing')
      for (let i = 1; i <= 10; i++) {
        await it.pay([[{ token: it.token, to: ours, amount: 1n }]])
        await it.mine(i % 3)
        await book.step()
      }
      await it.mine(DEPTH)
      for (let i = 0; i < 5; i++) await book.catchUp()
      await it.nodes('well')
      await book.catchUp()
      assert.equal(book.credited.size, 10)
      assert.ok(book.pauses.includes('error'))
    })

    test('what is not there is said so', async () => {
      const head = await it.chain.head()
      assert.equal(await it.chain.blockAt(head.number + 1), null)
      const nowhere: BlockRef = { ...head, hash: `0x${'ab'.repeat(32)}` }
      const filter = { tokens: [it.token], native: false, isOurs: () => true }
      await assert.rejects(it.chain.transfersIn(nowhere, filter), BlockGone)
      assert.equal(await it.chain.receipt(`0x${'cd'.repeat(32)}`), null)
      assert.equal(await it.chain.agreesOn(head), true)
      assert.equal(await it.chain.agreesOn(nowhere), false)
      assert.equal(await it.chain.isReorgedOut(head), false)
      assert.equal(await it.chain.isReorgedOut(nowhere), true)
      assert.equal(await it.chain.isReorgedOut({ ...nowhere, number: head.number + 1 }), false)
    })

    test('a chain that does not remember tells what is settled, and in which block', async () => {
      assert.equal(it.remembers, !it.chain.settledBalances)
      if (!it.chain.settledBalances) return
      const [ours, others] = [address(), address()]
      await it.pay([[{ token: null, to: ours, amount: 9n }]])
      assert.deepEqual((await it.chain.settledBalances([ours]))?.balances, [0n], 'not yet')
      await it.mine(DEPTH)
      const settled = await it.chain.settledBalances([others, ours])
      assert.deepEqual(settled?.balances, [0n, 9n])
      const { number, hash } = settled!.block
      assert.equal((await it.chain.blockAt(number))?.hash, hash)
    })

    test('receipts and balances tell what happened, also of the past', async () => {
      const ours = address()
      const [paid] = await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      const then = await it.chain.head()
      const [undone] = await it.pay([[{ token: it.token, to: ours, amount: 7n }]], 'reverts')
      await it.pay([[{ token: null, to: ours, amount: 9n }]])
      const receipt = await it.chain.receipt(paid!)
      assert.equal(receipt!.status, 'success')
      assert.equal(receipt!.blockHash, then.hash)
      assert.ok(receipt!.fee > 0n)
      assert.equal((await it.chain.receipt(undone!))!.status, 'reverted')
      assert.equal(await it.chain.balanceOf(it.token, ours), 5n)
      assert.equal(await it.chain.balanceOf(null, ours), 9n)
      if (!it.remembers) return assert.rejects(it.chain.balanceOf(null, ours, then), CallRefused)
      assert.equal(await it.chain.balanceOf(null, ours, then), 0n)
      assert.equal(await it.chain.balanceOf(it.token, ours, then), 5n)
    })
  })
}
