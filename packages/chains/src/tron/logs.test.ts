import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeEventLog, encodeAbiParameters, encodeEventTopics } from 'viem/utils'
import { Token } from '../evm/generated/contracts.ts'
import type { RawLog } from '../evm/responses.ts'
import { pickTransfers } from './logs.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}` as const
const token = address(0xdead)
const block = { number: 7, hash: hash(70), parentHash: hash(60), time: 1_000 }
const blockOf = (number: number) => (number === 7 ? block : undefined)

function log(index: number, to: number, amount: bigint, more: Partial<RawLog> = {}): RawLog {
  const args = { from: address(1), to: address(to) }
  return {
    address: token,
    topics: encodeEventTopics({ abi: Token.abi, eventName: 'Transfer', args }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
    blockNumber: '0x7',
    blockHash: block.hash,
    transactionHash: hash(index),
    logIndex: `0x${index.toString(16)}`,
    removed: false,
    ...more,
  }
}
const filterOf = (ours: (address: string) => boolean) => ({ tokens: [token], native: false, isOurs: ours })
const all = filterOf(() => true)

test('decodes transfers as viem does', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2 ** 31), amount), { maxLength: 20 }), entries => {
      const logs = entries.map(([to, value], i) => log(i, to, value))
      const decoded = logs.map(({ topics, data }) => {
        const event = decodeEventLog({ abi: Token.abi, topics: topics as [`0x${string}`], data: data as `0x${string}` })
        const { from, to, value } = event.args as { from: string; to: string; value: bigint }
        return [from.toLowerCase(), to.toLowerCase(), value]
      })
      assert.deepEqual(
        pickTransfers('x', logs, all, blockOf).transfers.map(t => [t.from, t.to, t.amount]),
        decoded,
      )
    }),
  )
})

test('picks only transfers to us, with the position of their logs in the receipt', () => {
  const same = { transactionHash: hash(1) }
  const logs = [3, 4, 8, 9].map((at, i) => log(at, [5, 9][i % 2]!, BigInt(i), { ...same, position: i }))
  const nine = filterOf(to => to === address(9))
  const { transfers: picked } = pickTransfers('x', logs, nine, blockOf)
  assert.deepEqual(
    picked.map(t => [t.logIndex, t.ordinal, t.amount]),
    [
      [4, 1, 1n],
      [9, 3, 3n],
    ],
  )
})

test('accepts upper-case hex', () => {
  const given = log(0, 0xabcdef, 5n, { transactionHash: hash(0xfeed) })
  const upper = {
    ...given,
    transactionHash: `0x${given.transactionHash.slice(2).toUpperCase()}`,
    address: `0x${given.address.slice(2).toUpperCase()}`,
    topics: given.topics.map((topic, i) => (i ? `0x${topic.slice(2).toUpperCase()}` : topic)),
  }
  const ours = filterOf(to => to === address(0xabcdef))
  assert.deepEqual(pickTransfers('x', [upper], ours, blockOf), pickTransfers('x', [given], ours, blockOf))
})

const invalid: [string, RawLog[]][] = [
  ['of a token not requested', [log(0, 9, 1n, { address: address(0xbad) })]],
  ['of another event', [log(0, 9, 1n, { topics: [hash(1), hash(2), hash(3)] })]],
  ['of a block not requested', [log(0, 9, 1n, { blockNumber: '0x8' })]],
  ['of another block at the same height', [log(0, 9, 1n, { blockHash: hash(71) })]],
  ['removed by a reorg', [log(0, 9, 1n, { removed: true })]],
  ['that are duplicated', [log(3, 9, 1n), log(3, 9, 1n)]],
  ['out of order', [log(4, 9, 1n), log(3, 9, 1n)]],
  ['without an index', [log(0, 9, 1n, { logIndex: 'x' })]],
  ['with a malformed transaction id', [log(0, 9, 1n, { transactionHash: '0x1' })]],
  ['with a truncated amount', [log(0, 9, 1n, { data: '0x01' })]],
  ['with data after the amount', [log(0, 9, 1n, { data: `${hash(1)}00` })]],
  ['with a truncated address', [log(0, 9, 1n, { topics: [log(0, 9, 1n).topics[0]!, hash(1), '0x09'] })]],
  ['with four topics, as of an ERC-721 token', [log(0, 9, 1n, { topics: [...log(0, 9, 1n).topics, hash(1)] })]],
]
for (const [name, logs] of invalid) {
  test(`rejects logs ${name}`, () => {
    assert.throws(() => pickTransfers('x', logs, all, blockOf))
  })
}
