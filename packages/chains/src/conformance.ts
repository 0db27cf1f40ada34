import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type BlockRef, type ChainView, hasAccounts, type Transfer } from './chain.ts'
import { Consumer } from './conformance-consumer.ts'
import { BlockOrphaned, CallRefused } from './errors.ts'

export type Payment = { token: string | null; to: string; amount: bigint }

/** Identifiers in the stored form of a kind of chain. */
export type StoredForms = {
  /** Returns the address at an index; nobody has used it. */
  address: (index: number) => string
  /** Whether this is the sender of a payment, empty where payments have no single sender. */
  isSender: (from: string) => boolean
  /** The hash of a block and the id of a transaction that do not exist. */
  unknown: { hash: string; txid: string }
}

/** A chain under test, with controls over its blocks and nodes. Its definition requires 4 confirmations. */
export type Harness = {
  chain: ChainView
  /** Whether its nodes keep historical state, so that balances as of past blocks can be read. */
  archive: boolean
  /**
   * An accepted token, an accepted fee-on-transfer token, and a token that is not accepted; null where there are no
   * tokens.
   */
  token: string | null
  feeToken: string | null
  foreign: string | null
  /** How its kind stores addresses, transaction ids and block hashes. */
  forms: StoredForms
  /** Whether a transaction in a block may have failed. */
  fails: boolean
  /** Mines one block of these transactions, each a list of payments; returns their ids. */
  pay: (transactions: Payment[][], how?: 'succeeds' | 'reverts') => Promise<string[]>
  mine: (blocks: number) => Promise<void>
  /** Replaces the last blocks; their transactions are lost, or mined again in the replacements. */
  reorg: (depth: number, transactions: 'lost' | 'again') => Promise<void>
  /** Makes the nodes healthy, fail now and then, or lag by some blocks. */
  nodes: (how: 'healthy' | 'failing' | { behind: number }) => Promise<void>
  stop: () => Promise<void>
}

const DEPTH = 4

/** Defines the tests that every chain must pass. `open` starts a chain for the run. */
export function conformance(name: string, open: () => Promise<Harness>): void {
  suite(`chain conformance: ${name}`, () => {
    let it: Harness
    let serial = 0
    before(async () => {
      it = await open()
    })
    after(() => it.stop())

    /** Returns an unused address. */
    const address = () => it.forms.address(++serial)
    const tokens = () => [it.token, it.feeToken].filter(each => each !== null)
    const follow = async (...ours: string[]) => {
      const set = new Set(ours)
      const filter = { tokens: tokens(), native: true, isOurs: (to: string) => set.has(to) }
      return new Consumer(it.chain, filter, (await it.chain.head()).number + 1)
    }
    const short = (transfers: Transfer[]) =>
      transfers.map(({ token, to, amount, ordinal }) => ({ token, to, amount, ordinal }))

    test('reports token and native transfers in full', async () => {
      const ours = address()
      const consumer = await follow(ours)
      const [first, second] = await it.pay([
        [{ token: it.token, to: ours, amount: 5_000_000n }],
        [{ token: null, to: ours, amount: 123n }],
      ])
      await consumer.catchUp()
      const block = await it.chain.head()
      const seen = consumer.seen.toSorted((a, b) => Number(a.token === null) - Number(b.token === null))
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
        assert.ok(it.forms.isSender(from), from)
        assert.equal(logIndex < 0, token === null)
      }
    })

    test('distinguishes several transfers in one transaction', async () => {
      const a = address()
      const b = address()
      const consumer = await follow(a, b)
      const others = address()
      const amounts = [
        [a, 1n],
        [others, 2n],
        [b, 3n],
        [a, 4n],
      ] as const
      const [txid] = await it.pay([amounts.map(([to, amount]) => ({ token: it.token, to, amount }))])
      await consumer.catchUp()
      assert.ok(consumer.seen.every(transfer => transfer.txid === txid))
      assert.equal(new Set(consumer.seen.map(transfer => transfer.logIndex)).size, 3)
      assert.deepEqual(short(consumer.seen), [
        { token: it.token, to: a, amount: 1n, ordinal: 0 },
        { token: it.token, to: b, amount: 3n, ordinal: 2 },
        { token: it.token, to: a, amount: 4n, ordinal: 3 },
      ])
    })

    test('ignores transfers that reverted, are worth zero, go elsewhere or are of other tokens', async () => {
      const ours = address()
      const consumer = await follow(ours)
      for (const token of it.fails ? [it.token, null] : []) await it.pay([[{ token, to: ours, amount: 7n }]], 'reverts')
      if (it.foreign !== null) await it.pay([[{ token: it.foreign, to: ours, amount: 7n }]])
      await it.pay([[{ token: it.token, to: ours, amount: 0n }]])
      await it.pay([[{ token: it.token, to: address(), amount: 7n }]])
      await consumer.catchUp()
      assert.deepEqual(consumer.seen, [])
      assert.equal(consumer.blocks.at(-1)!.number, (await it.chain.head()).number)
    })

    test('reports the received amount of a fee-on-transfer token', async () => {
      if (it.feeToken === null) return
      const ours = address()
      const consumer = await follow(ours)
      await it.pay([[{ token: it.feeToken, to: ours, amount: 10_000n }]])
      await consumer.catchUp()
      assert.deepEqual(short(consumer.seen), [{ token: it.feeToken, to: ours, amount: 9_900n, ordinal: 0 }])
      assert.equal(await it.chain.balanceOf?.(it.feeToken, ours), 9_900n)
    })

    test('credits the same transfers once, whether catching up or following the head', async () => {
      const ours = address()
      const live = await follow(ours)
      const late = await follow(ours)
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
      const total = (consumer: Consumer, token: string | null) =>
        [...consumer.credited.values()].filter(t => t.token === token).reduce((sum, t) => sum + t.amount, 0n)
      const kinds = new Set([it.token, null])
      for (const consumer of [live, late])
        for (const token of kinds) assert.equal(total(consumer, token), 156n / BigInt(kinds.size))
      assert.ok(events.length < 30, 'reads ranges, not single blocks')
      assert.deepEqual([...late.credited.keys()].sort(), [...live.credited.keys()].sort())
    })

    test('credits a deposit at confirmation depth, not a block earlier', async () => {
      const ours = address()
      const consumer = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      for (let depth = 1; depth < DEPTH; depth++) {
        await consumer.catchUp()
        assert.equal(consumer.credited.size, 0, `at ${depth}`)
        await it.mine(1)
      }
      await consumer.catchUp()
      assert.equal(consumer.credited.size, 1)
    })

    test('drops reorged transfers, and reports those mined again once', async () => {
      const ours = address()
      const consumer = await follow(ours)
      const payment = { token: it.token, to: ours, amount: 5n }
      const [txid] = await it.pay([[payment, { ...payment, amount: 6n }]])
      await it.mine(1)
      await consumer.catchUp()
      const before = consumer.seen
      // This replaces all blocks that the consumer has, so it must continue from below them.
      await it.reorg(2, 'again')
      const [event] = await consumer.catchUp()
      assert.equal(event?.type, 'reorg')
      assert.deepEqual(
        consumer.seen.map(t => [t.txid, t.ordinal, t.amount]),
        [
          [txid, 0, 5n],
          [txid, 1, 6n],
        ],
      )
      assert.notEqual(consumer.seen[0]!.blockHash, before[0]!.blockHash)

      await it.mine(1)
      await consumer.catchUp()
      await it.reorg(2, 'lost')
      const [shallow] = await consumer.catchUp()
      assert.equal(shallow?.type === 'reorg' && shallow.dropped.length, 2)
      assert.equal(consumer.seen.length, 2)
      await it.reorg(3, 'lost')
      await consumer.catchUp()
      assert.deepEqual(consumer.seen, [])
      await it.mine(DEPTH)
      await consumer.catchUp()
      assert.equal(consumer.credited.size, 0)
    })

    test('detects after a restart a reorg that happened meanwhile', async () => {
      const ours = address()
      const consumer = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      await it.mine(1)
      await consumer.catchUp()
      await it.reorg(2, 'lost')
      await it.mine(6)
      consumer.restart()
      const [event] = await consumer.catchUp()
      assert.equal(event?.type, 'reorg')
      assert.deepEqual([consumer.seen, consumer.credited.size], [[], 0])
    })

    test('halts on a reorg of a final block', async () => {
      const consumer = await follow(address())
      await it.mine(DEPTH + 2)
      await consumer.catchUp()
      const { final } = consumer
      await it.reorg(DEPTH + 1, 'lost')
      const events = await consumer.catchUp()
      assert.deepEqual(
        events.map(event => event.type),
        ['deep-reorg'],
      )
      assert.equal(consumer.final, final)
      assert.deepEqual(await consumer.step(), events[0], 'stays halted')
    })

    test('waits for a lagging node without rolling back', async () => {
      const ours = address()
      const consumer = await follow(ours)
      await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      await it.mine(2)
      await consumer.catchUp()
      await it.nodes({ behind: 2 })
      assert.deepEqual(await consumer.catchUp(), [])
      assert.equal(consumer.pauses.at(-1), 'behind')
      await it.nodes('healthy')
      await it.mine(2)
      const events = await consumer.catchUp()
      assert.deepEqual([...new Set(events.map(event => event.type))], ['block'])
      assert.equal(consumer.credited.size, 1)
    })

    test('loses nothing while nodes fail', async () => {
      const ours = address()
      const consumer = await follow(ours)
      await it.nodes('failing')
      for (let i = 1; i <= 10; i++) {
        await it.pay([[{ token: it.token, to: ours, amount: 1n }]])
        await it.mine(i % 3)
        await consumer.step()
      }
      await it.mine(DEPTH)
      // Which exchanges fail depends on their order, so that it may take a while until one that matters does. Blocks
      // vary it.
      for (let i = 0; i < 5 || (i < 200 && !consumer.pauses.includes('error')); i++) {
        if (i >= 5) await it.mine(1)
        await consumer.catchUp()
      }
      await it.nodes('healthy')
      await consumer.catchUp()
      assert.equal(consumer.credited.size, 10)
      assert.ok(consumer.pauses.includes('error'))
    })

    test('reports unknown blocks and transactions as such', async () => {
      const head = await it.chain.head()
      assert.equal(await it.chain.blockAt(head.number + 1), null)
      const { hash, txid } = it.forms.unknown
      const nowhere: BlockRef = { ...head, hash }
      const filter = { tokens: tokens(), native: true, isOurs: () => true }
      await assert.rejects(it.chain.transfersIn(nowhere, filter), BlockOrphaned)
      if (it.chain.receipt) assert.equal(await it.chain.receipt(txid), null)
      assert.equal(await it.chain.agreesOn(head), true)
      assert.equal(await it.chain.agreesOn(nowhere), false)
      assert.equal(await it.chain.isReorgedOut(head), false)
      assert.equal(await it.chain.isReorgedOut(nowhere), true)
      assert.equal(await it.chain.isReorgedOut({ ...nowhere, number: head.number + 1 }), false)
    })

    test('returns recent balances with their block, final ones where nodes keep no historical state', async () => {
      const { chain } = it
      if (!hasAccounts(chain)) return
      const ours = address()
      const others = address()
      await it.pay([[{ token: null, to: ours, amount: 9n }]])
      const at = async () => (await chain.recentBalances([others, ours]))!
      assert.deepEqual((await at()).balances, [0n, it.archive ? 9n : 0n])
      await it.mine(DEPTH)
      const { block, oldest, balances } = await at()
      assert.deepEqual(balances, [0n, 9n])
      assert.deepEqual([(await it.chain.blockAt(block.number))?.hash, oldest], [block.hash, block.number])
    })

    test('reads receipts, and balances now and in the past', async () => {
      const { chain } = it
      if (!hasAccounts(chain)) return
      const ours = address()
      const [paid] = await it.pay([[{ token: it.token, to: ours, amount: 5n }]])
      const then = await chain.head()
      const [undone] = await it.pay([[{ token: it.token, to: ours, amount: 7n }]], 'reverts')
      await it.pay([[{ token: null, to: ours, amount: 9n }]])
      const receipt = await chain.receipt(paid!)
      assert.equal(receipt!.status, 'success')
      assert.equal(receipt!.blockHash, then.hash)
      assert.ok(receipt!.fee > 0n)
      assert.equal((await chain.receipt(undone!))!.status, 'reverted')
      assert.equal(await chain.balanceOf(it.token, ours), 5n)
      assert.equal(await chain.balanceOf(null, ours), 9n)
      for (const [token, amount] of [
        [it.token, 5n],
        [null, 9n],
      ] as const)
        assert.deepEqual(await chain.certainBalances(token, [address(), ours]), [0n, amount])
      if (!it.archive) {
        await assert.rejects(chain.certainBalances(null, [ours], then), CallRefused)
        return assert.rejects(chain.balanceOf(null, ours, then), CallRefused)
      }
      assert.deepEqual(await chain.certainBalances(null, [ours], then), [0n])
      assert.equal(await chain.balanceOf(null, ours, then), 0n)
      assert.equal(await chain.balanceOf(it.token, ours, then), 5n)
    })
  })
}
