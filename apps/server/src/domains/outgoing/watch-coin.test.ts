import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareCoin } from './watch-coin.ts'

/**
 * A block of a wallet: what came, own transactions with what the chain charges beyond their fee, and what a thief
 * takes.
 */
const block = fc.record({
  came: fc.bigInt(0n, 50n),
  own: fc.array(fc.record({ value: fc.bigInt(0n, 20n), fee: fc.bigInt(1n, 10n), more: fc.nat(100) }), { maxLength: 2 }),
  /** Blocks after which its transactions are settled. */
  late: fc.nat(3),
  /** What a reading of it is ahead or behind by, within its slack; null: it is not read. */
  read: fc.option(fc.record({ slack: fc.nat(2), off: fc.integer({ min: -2, max: 2 }) })),
})
type Block = typeof block extends fc.Arbitrary<infer T> ? T : never

/**
 * Compares as `watchCoin` does, with the ledger of `settle`. Returns the block and the amount of the first difference.
 */
function run(blocks: readonly Block[], stolen: ReadonlyMap<number, bigint>) {
  const balances: bigint[] = []
  let balance = 10_000n
  for (const [at, { came, own }] of blocks.entries()) {
    const spent = own.reduce((sum, { value, fee, more }) => sum + value + fee + (fee * BigInt(more)) / 100n, 0n)
    balances[at] = balance += came - spent - (stolen.get(at) ?? 0n)
  }
  const coin = { expected: 0n, fees: 0n, open: 0n, compared_to: 0, settled_block: 0 }
  const settled = new Set<number>()
  for (const [at, { read }] of blocks.entries()) {
    for (const [then, { own, late }] of blocks.entries())
      if (then > 0 && then + late <= at && !settled.has(then)) {
        settled.add(then)
        for (const { value, fee } of own) {
          coin.expected = coin.expected > value + fee ? coin.expected - value - fee : 0n
          coin.fees += fee
          coin.settled_block = Math.max(coin.settled_block, then)
        }
      }
    coin.open = blocks
      .flatMap(({ own }, then) => (then > 0 && then <= at + 2 && !settled.has(then) ? own : []))
      .reduce((sum, { value, fee }) => sum + value + 2n * fee, 0n)
    if (!read) continue
    const { slack } = read
    const of = Math.min(blocks.length - 1, Math.max(0, at + Math.max(-slack, Math.min(slack, read.off))))
    const found = compareCoin(coin, { from: at - slack, balance: balances[of]! })
    if (found && 'missing' in found) return { at, missing: found.missing }
    if (found) Object.assign(coin, found, { compared_to: at + slack })
  }
  return null
}

test('nothing is missing while only our transactions take coin, whenever they settle and whatever comes', () => {
  fc.assert(fc.property(fc.array(block, { maxLength: 30 }), blocks => run(blocks, new Map()) === null))
})

test('what a thief takes beyond fees and open transactions is missing at the next comparison', () => {
  const quiet = { came: 0n, own: [], late: 0, read: { slack: 0, off: 0 } }
  fc.assert(
    fc.property(fc.array(block, { maxLength: 15 }), fc.bigInt(1n, 100n), (before, more) => {
      // Two blocks in which all of ours settles and is compared, then the theft.
      const blocks = [...before, ...Array.from({ length: 8 }, () => quiet)]
      const at = blocks.length - 1
      assert.deepEqual(run(blocks, new Map([[at, more]])), { at, missing: more })
    }),
  )
})
