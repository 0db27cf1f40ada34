import { setTimeout as sleep } from 'node:timers/promises'
import { slow } from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { until } from '@coffer/local/testing/until.ts'
import { confirmations, proxiedServer } from '@coffer/server/testing/proxied-server.ts'
import { type Figure, type Scope, scoped } from './figure.ts'
import { ownPostgres } from './own-postgres.ts'

/** Times after which the three nodes answer, and between two blocks (ms). */
const answers = [5, 1_300, 1_300]
const betweenBlocks = 2_500
const payments = 6
const limitMs = 2_000
/**
 * The first deposits of a token are also compared with balances, which are read from nodes while they wait for
 * confirmations.
 */
const compared = 10
const comparedLimitMs = 2_500

/** Time from the block that confirms a payment until it is paid, while two of three nodes are slow. */
export async function slowNodes(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const roots of [true, false]) {
    const { first, later } = await scoped(here => measured(here, roots))
    const how = roots ? 'verified' : 'agreed on'
    figures.push(figureOf(`the first of a token, blocks ${how}`, first, comparedLimitMs))
    figures.push(figureOf(`blocks ${how}`, later, limitMs))
  }
  return figures
}

function figureOf(what: string, times: number[], limit: number): Figure {
  const sorted = times.toSorted((a, b) => a - b)
  const slowest = sorted.at(-1)!
  const median = sorted[sorted.length >> 1]!
  return {
    what: `last confirmation to credit, ${what}`,
    value: `${slowest.toFixed(0)} ms`,
    comparison: `slowest of ${sorted.length}, median ${median.toFixed(0)}; at most ${limit}`,
    holds: slowest <= limit,
  }
}

async function measured(here: Scope, roots: boolean) {
  const { url } = await ownPostgres(here)
  process.env.COFFER_TEST_PG = url
  const shop = await proxiedServer(here, { roots })
  await shop.start()
  const { world } = shop
  const order = async (name: string) => {
    const { tradeNo, address } = await shop.order(name, 'USDT')
    return { tradeNo, transfer: { token: world.token, to: address, amount: 10_000_000n } }
  }
  const paid = (tradeNo: string) =>
    until(
      'the payment is paid',
      () => shop.statusOf(tradeNo),
      status => status === paymentStatus.paid,
    )
  const timeOf = async (n: number) => {
    const { tradeNo, transfer } = await order(`slow ${n}`)
    await world.pay([[transfer]])
    for (let block = 1; block < confirmations; block++) {
      await sleep(betweenBlocks + (n % payments) * 100)
      await world.mine(1)
    }
    const since = performance.now()
    await paid(tradeNo)
    return performance.now() - since
  }
  const slowDown = () => {
    for (const [i, proxy] of shop.proxies.entries()) proxy.intercept = slow(answers[i]!)
  }
  const first: number[] = []
  const later: number[] = []
  slowDown()
  for (let n = 0; n < payments; n++) first.push(await timeOf(n))
  for (const proxy of shop.proxies) proxy.reset()
  const rest = await Promise.all(Array.from({ length: compared }, (_, n) => order(`rest ${n}`)))
  await world.pay(rest.map(({ transfer }) => [transfer]))
  await world.mine(confirmations)
  for (const { tradeNo } of rest) await paid(tradeNo)
  slowDown()
  for (let n = payments; n < 2 * payments; n++) later.push(await timeOf(n))
  return { first, later }
}
