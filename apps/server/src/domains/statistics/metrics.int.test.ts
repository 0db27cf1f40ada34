import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { tx } from '../../kit/db.ts'
import { registry } from '../../kit/metrics.ts'
import { moneyWorld } from '../../testing/money.ts'
import { statisticsChanges } from './statistics-write.ts'

const world = await moneyWorld({ after })

/** Reads the counters: payments, and USDT by direction. */
async function readCounters() {
  const text = await registry.metrics()
  const read = (name: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    )
  const usdt = (direction: string) => read(`coffer_money_usdt_total{direction="${direction}"}`)
  return [read('coffer_payments_paid_total'), usdt('in'), usdt('withdrawn'), usdt('refunded')]
}

test('counts what was paid and moved once it is committed, and what was not by no one', async () => {
  const change = {
    merchant_id: world.merchant.id,
    appid: world.appid,
    asset_id: '',
    at: world.deps.clock(),
    paid_num: 2n,
    withdrawn_usdt: 1_500_000_000_000_000_000n,
    refund_usdt: -1n,
  }
  await assert.rejects(
    tx(world.deps.pool, async (_, uow) => {
      uow.add(statisticsChanges, [change])
      await uow.flush()
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(await readCounters(), [0, 0, 0, 0])
  await tx(world.deps.pool, async (_, uow) => uow.add(statisticsChanges, [change]))
  assert.deepEqual(await readCounters(), [2, 0, 1.5, 0])
  const order = await world.pay()
  await world.eth.add([{ to: order.address, amount: 10_000_000n }])
  await world.eth.confirm()
  assert.deepEqual(await readCounters(), [3, 10, 1.5, 0])
})
