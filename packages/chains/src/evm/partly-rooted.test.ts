import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { follow, isAboutReceipts, type Liar, makeChain, type Run } from '../testing/lying-nodes.ts'
import { computeLogsBloom } from './bloom.ts'
import { HashedReceipt } from './decoding.ts'
import { encodeReceipt, type JsonObject } from './encoding.ts'
import { readVerifiedHeader } from './responses.ts'

const emptyBloom = `0x${'00'.repeat(256)}`
const word = (digit: string) => `0x${digit.repeat(64)}`

/** Sends receipts without logs, and headers as they are. */
const withoutLogs: Liar = (method, answer) => {
  if (answer === null || !isAboutReceipts(method)) return answer
  const without = (receipt: JsonObject) => ({ ...receipt, logs: [], logsBloom: emptyBloom })
  return Array.isArray(answer) ? answer.map(without) : without(answer as JsonObject)
}
/** Also sends headers that fit, and have not their hash. */
const withoutBloom: Liar = (method, answer, other) => {
  if (answer === null || isAboutReceipts(method)) return withoutLogs(method, answer, other)
  return { ...(answer as JsonObject), logsBloom: emptyBloom, receiptsRoot: word('1') }
}
/** Leaves the payments of a block out, with their transactions, under the header as it is. */
const withoutPayments: Liar = (method, answer) => {
  if (answer === null) return answer
  if (method === 'eth_getBlockReceipts') return (answer as JsonObject[]).slice(0, -2)
  const { transactions } = answer as { transactions?: JsonObject[] }
  return transactions && typeof transactions[0] === 'object'
    ? { ...(answer as JsonObject), transactions: transactions.slice(0, -2) }
    : answer
}
const liars: [string, Liar][] = [
  ['logs', withoutLogs],
  ['logs and the bloom', withoutBloom],
  ['payments', withoutPayments],
]

const chain = await makeChain(0)

suite('blocks that roots cover in part', () => {
  const twoOf = (liar: Liar, honest: number): Run['nodes'] => [0, 1, 2].map(at => (at === honest ? null : liar))

  for (const [what, liar] of liars)
    test(`two of three nodes that leave out ${what} lose no deposit`, async () => {
      // All blocks are proved as a whole, none is, and one of the two with payments is.
      for (const unrootedEvery of [0, 1, 2])
        for (const honest of [0, 1, 2])
          for (const catchingUp of [false, true])
            await follow(chain, { roots: false, unrootedEvery, catchingUp, nodes: twoOf(liar, honest) }).catch(error =>
              assert.fail(`${unrootedEvery} ${honest} ${catchingUp}: ${error.message}`),
            )
    })

  test('who sends other logs than the header has is named', async () => {
    const nodes = twoOf(withoutLogs, 2)
    const { differing } = await follow(chain, { roots: false, unrootedEvery: 0, catchingUp: false, nodes })
    assert.deepEqual(
      new Set(differing.map(each => each.split(' ')[0])),
      new Set([0, 1].map(at => `http://stand-in.invalid/${at}`)),
    )
    assert.match(differing[0]!, / denied_logs eth_getBlockReceipts \d+$/)
  })

  test('what roots prove when a block is seen is not read again when it is final', async () => {
    const honest = { roots: false, unrootedEvery: 0, catchingUp: false, nodes: [null, null, null] }
    const read = chain.blocks.length - 1
    const proven = await follow(chain, honest)
    assert.equal(proven.calls.get('eth_getBlockReceipts'), read)
    // What no root covers is voted on by all nodes: here in each block that becomes final.
    const voted = await follow(chain, { ...honest, unrootedEvery: 1 })
    assert.equal(voted.calls.get('eth_getBlockReceipts'), read + 3 * 4)
  })

  test('where it is not known what roots cover, two that leave out logs stop the chain, and lose nothing', async () => {
    for (const liar of [withoutLogs, withoutBloom]) {
      const run = follow(chain, { roots: false, catchingUp: false, nodes: twoOf(liar, 2) })
      await assert.rejects(run, /^AssertionError.*stopped at block \d+: .*no-quorum/s)
    }
  })

  test('what a chain adds beside the roots counts when most nodes have it, and one alone neither adds nor hides it', async () => {
    // An own transaction of the chain, without gas, in no root, as Bor added them.
    const { blocks, wanted } = chain
    const [receipt] = blocks[2]!.receipts.slice(-2)
    const id = word('5')
    const own: JsonObject = { ...receipt!, transactionHash: id, gasUsed: '0x0', type: '0x0' }
    const added: Liar = (method, answer) => {
      if (answer === null || answer === undefined) return answer
      const { hash, transactions } = answer as { hash?: string; transactions?: JsonObject[] }
      if (method === 'eth_getBlockReceipts' && (answer as JsonObject[]).at(-1)?.blockHash === own.blockHash)
        return [...(answer as JsonObject[]), own]
      if (hash !== own.blockHash || typeof transactions?.[0] !== 'object') return answer
      const zero = { type: '0x0', gas: '0x0', value: '0x0', from: `0x${'00'.repeat(20)}`, to: `0x${'00'.repeat(20)}` }
      return { ...(answer as JsonObject), transactions: [...transactions, { ...zero, hash: id }] }
    }
    const logged = wanted.filter(each => each.startsWith(String(receipt!.transactionHash)))
    const more = logged.map(each => each.replace(String(receipt!.transactionHash), id))
    assert.equal(more.length, 2)
    const withOwn = { blocks, wanted: [...wanted, ...more].sort() }
    for (const catchingUp of [false, true]) {
      const run = { roots: false, unrootedEvery: 2, catchingUp }
      await follow(withOwn, { ...run, nodes: [added, added, null] })
      await follow(chain, { ...run, nodes: [added, null, null] })
    }
  })

  test('the bloom of receipts is that of the header', async () => {
    for (const { header, receipts } of chain.blocks) {
      const found = await computeLogsBloom(receipts.map(each => new HashedReceipt(encodeReceipt(each))))
      assert.deepEqual(found, readVerifiedHeader(header).bloom)
    }
  })
})
