import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainUnavailable, type ChainView, type ReportedTransfer } from '@coffer/chains'
import { confirmed } from './confirmed.ts'

const told = Array.from({ length: 250 }, (_, i): ReportedTransfer => {
  return { txid: `0x${i}`, blockHash: '0x1', token: '0x2', ordinal: 0, to: '0x3', amount: 1n }
})
const chain = (answer?: (asked: readonly ReportedTransfer[]) => Promise<ReportedTransfer[]>) =>
  ({ confirmedByQuorum: answer }) as ChainView

test('transfers confirmed before a node failure may be credited', async () => {
  const asked: number[] = []
  const keys = await confirmed(
    chain(async some => {
      asked.push(some.length)
      if (asked.length === 3) throw new ChainUnavailable('too many requests')
      return some.filter(each => each.txid !== '0x7')
    }),
    told,
  )
  assert.deepEqual(asked, [100, 100, 50])
  assert.deepEqual(
    [keys.size, keys.has('0x6 0x2 0'), keys.has('0x7 0x2 0'), keys.has('0x200 0x2 0')],
    [199, true, false, false],
  )
})

test('a chain without quorum confirmation confirms everything, and errors other than node failures are thrown', async () => {
  assert.equal((await confirmed(chain(), told)).size, 250)
  await assert.rejects(
    confirmed(
      chain(() => Promise.reject(new TypeError('a mistake'))),
      told,
    ),
    TypeError,
  )
})
