import { setTimeout as sleep } from 'node:timers/promises'
import { foreign, forkedAbove, type ProxyNode, stuckAt } from '@coffer/chains/testing/proxy.ts'
import { paymentStatus } from '@coffer/contract'
import { confirmations, proxiedServer } from '@coffer/server/testing/proxied-server.ts'
import { type Figure, median, scope } from './figure.ts'

const samples = 5
/** Most that one faulty node of three may add (ms). */
const limit = 2_000

const faults: Record<string, (height: number) => Partial<ProxyNode>> = {
  hangs: () => ({ breaks: () => true }),
  'stands still': height => ({ intercept: stuckAt(height) }),
  'is on a fork': height => ({ intercept: forkedAbove(height) }),
  'is of another chain': () => ({ intercept: foreign }),
}

/**
 * Time from the block with the last confirmation to the payment's status "paid", over HTTP, when the first of three nodes gets a
 * fault just before that block, compared with three healthy nodes. Each sample has a server of its own, to which the fault is new.
 */
export async function nodes(): Promise<Figure[]> {
  const here = scope()
  try {
    const shop = await proxiedServer(here)
    let count = 0
    const sample = async (fault: (typeof faults)[string]) => {
      const stop = await shop.start()
      const { tradeNo, address: to } = await shop.order(`nodes-${count++}`, 'USDT')
      await shop.world.pay([[{ token: shop.world.token, to, amount: 10_000_000n }]])
      await shop.world.mine(confirmations - 2)
      await sleep(700)
      Object.assign(shop.proxies[0]!, fault(Number(await shop.world.call('eth_blockNumber'))))
      await shop.world.mine(1)
      const started = performance.now()
      while ((await shop.statusOf(tradeNo)) !== paymentStatus.paid) await sleep(5)
      const took = performance.now() - started
      for (const proxy of shop.proxies) proxy.reset()
      await stop()
      return took
    }
    const times: Record<string, number[]> = {}
    // Interleaved, so that what else this machine does disturbs all alike. The first round warms up.
    for (let round = 0; round <= samples; round++)
      for (const [what, fault] of [['healthy', () => ({})] as const, ...Object.entries(faults)]) {
        const took = await sample(fault)
        times[what] ??= []
        if (round > 0) times[what].push(took)
      }
    const healthy = median(times.healthy!)
    return Object.keys(faults).map(what => {
      const slowest = Math.max(...times[what]!)
      return {
        what: `credit while the first node ${what}`,
        value: `${median(times[what]!).toFixed(0)} ms`,
        comparison: `slowest of ${samples} ${slowest.toFixed(0)} ms, with healthy nodes ${healthy.toFixed(0)} ms; at most ${limit} more`,
        holds: slowest - healthy <= limit,
      }
    })
  } finally {
    await here.end()
  }
}
