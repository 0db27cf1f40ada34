import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tx } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'
import { testDatabase } from '../../testing/deps.ts'
import { countStatistics } from './metrics.ts'
import { statisticsChanges } from './statistics-write.ts'

/** Reads the counters: payments, and USDT that came, was withdrawn and refunded. */
async function readCounters(): Promise<number[]> {
  const values = async (name: string) => (await registry.getSingleMetric(name)!.get()).values
  const paid = (await values('coffer_payments_paid_total'))[0]?.value ?? 0
  const usdt = await values('coffer_money_usdt_total')
  const directions = ['in', 'withdrawn', 'refunded'].map(name => usdt.find(each => each.labels.direction === name))
  return [paid, ...directions.map(each => each?.value ?? 0)]
}

test('counts what was paid, and values in USDT, and nothing that is taken back', async () => {
  const before = await readCounters()
  countStatistics([
    { paid_num: 2n, volume_usdt: 10n ** 19n },
    { withdrawn_usdt: 15n * 10n ** 17n, refund_usdt: -1n },
  ])
  const after = await readCounters()
  assert.deepEqual(
    after.map((value, index) => Math.round((value - before[index]!) * 1e6) / 1e6),
    [2, 10, 1.5, 0],
  )
})

test('a change is counted once its transaction is committed, and not if it is undone', async t => {
  const { pool } = await testDatabase(t)
  const change = { merchant_id: 'm', appid: '', asset_id: '', at: 1, paid_num: 1n }
  const counts: number[] = []
  const run = (end: () => void) =>
    tx(pool, async (_, uow) => {
      uow.add(statisticsChanges, [change])
      await uow.flush()
      counts.push(uow.afterCommit.length)
      uow.afterCommit.splice(0, 1, () => counts.push(0))
      end()
    })
  await assert.rejects(
    run(() => {
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(counts, [1])
  await run(() => {})
  assert.deepEqual(counts, [1, 1, 0])
})
