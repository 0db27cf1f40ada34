import { lockPayments } from '@coffer/server/domains/payments/store.ts'
import type { Records } from './data.ts'
import { type Figure, median } from './figure.ts'

const [block, rounds, warmUp] = [1_000, 30, 8]
const ratioLimit = 1.3

/** Locking the payments of a block with 1,000 deposits, compared with the same among few payments. */
export async function lock(many: Records, few: Records): Promise<Figure[]> {
  const times: [number[], number[]] = [[], []]
  for (let round = -warmUp; round < rounds; round++)
    for (const [which, records] of [many, few].entries()) {
      const took = await lockOnce(records)
      if (round >= 0) times[which]!.push(took)
    }
  const [ours, least] = times.map(median) as [number, number]
  return [
    {
      what: `locking ${block.toLocaleString('en')} payments`,
      value: `${ours.toFixed(1)} ms`,
      comparison: `${(ours / least).toFixed(2)} of the same among ${few.payments.toLocaleString('en')} (${least.toFixed(1)} ms); at most ${ratioLimit}`,
      holds: ours <= ratioLimit * least,
    },
  ]
}

async function lockOnce({ deps, payments }: Records): Promise<number> {
  const c = await deps.pool.connect()
  try {
    // Payments of a block were created at about the same time.
    const { rows } = await c.query(
      'select trade_no from payments where created_at >= $1 order by created_at limit $2 offset $3',
      [deps.clock() - 86_400 * (payments < 100_000 ? 200 : 60), block, Math.floor(Math.random() * block)],
    )
    const tradeNos = rows.map(row => row.trade_no as string)
    await c.query('begin')
    const started = performance.now()
    await lockPayments(c, tradeNos)
    return performance.now() - started
  } finally {
    await c.query('rollback')
    c.release()
  }
}
