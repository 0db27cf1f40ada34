import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { slow } from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { startPostgres } from '@coffer/local/postgres.ts'
import { until } from '@coffer/local/testing/until.ts'
import { confirmations, proxiedServer } from '@coffer/server/testing/proxied-server.ts'
import { type Figure, type Scope, scoped } from './figure.ts'

/** Times after which the three nodes answer, and between two blocks (ms). */
const [answers, betweenBlocks] = [[5, 1_300, 1_300], 2_500]
const payments = 6
const limitMs = 2_000

/** Time from the block that confirms a payment until it is paid, while two of three nodes are slow. */
export async function slowNodes(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const roots of [true, false]) {
    const times = (await scoped(here => measured(here, roots))).sort((a, b) => a - b)
    const slowest = times.at(-1)!
    figures.push({
      what: `last confirmation to credit, blocks ${roots ? 'verified' : 'agreed on'}`,
      value: `${slowest.toFixed(0)} ms`,
      comparison: `slowest of ${payments}, median ${times[payments / 2]!.toFixed(0)}; at most ${limitMs}`,
      holds: slowest <= limitMs,
    })
  }
  return figures
}

async function measured(here: Scope, roots: boolean): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-bench-'))
  here.after(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: folder })
  here.after(() => postgres.stop())
  process.env.COFFER_TEST_PG = postgres.url
  const shop = await proxiedServer(here, { roots })
  await shop.start()
  for (const [i, proxy] of shop.proxies.entries()) proxy.intercept = slow(answers[i]!)
  const { world } = shop
  const times: number[] = []
  for (let n = 0; n < payments; n++) {
    const { tradeNo, address } = await shop.order(`slow ${n}`, 'USDT')
    await world.pay([[{ token: world.token, to: address, amount: 10_000_000n }]])
    for (let block = 1; block < confirmations; block++) {
      await sleep(betweenBlocks + n * 100)
      await world.mine(1)
    }
    const since = performance.now()
    await until(
      'the payment is paid',
      () => shop.statusOf(tradeNo),
      status => status === paymentStatus.paid,
    )
    times.push(performance.now() - since)
  }
  return times
}
