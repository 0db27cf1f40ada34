import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@coffer/local/testing/until.ts'
import { postUntilAccepted } from './orders.ts'
import type { Surroundings } from './surroundings.ts'

/** A payout that the shop has asked for. */
interface AskedPayout {
  /** When it was first asked for, and when it was seen in a block (ms of this process). */
  began: number
  arrived: number | undefined
  /** What the server says that arrives, in base units; undefined before it has accepted. */
  receives: bigint | undefined
}

/** Pause between two payouts, and between two looks at the chain (ms). */
const betweenMs = 1_000
const lookMs = 250
const amount = '5'

/** A shop that asks for a payout each second, `most` in all, to an address of its own each, and looks for it. */
export function startPayouts(urls: string[], key: string, chain: Surroundings['chain'], most = Infinity) {
  const asked = new Map<string, AskedPayout>()
  let since = performance.now()
  let isOpen = true
  const ask = async (url: string) => {
    const outNo = randomUUID()
    const address = `0x${createHash('sha256').update(outNo).digest('hex').slice(0, 40)}`
    const payout: AskedPayout = { began: performance.now(), arrived: undefined, receives: undefined }
    asked.set(address, payout)
    const body = { out_no: outNo, chain: 'local', token: 'USDT', amount, address }
    const answer = await postUntilAccepted(url, key, 'withdrawals', outNo, body, { isOpen: () => isOpen })
    if (!answer) asked.delete(address)
    else payout.receives = BigInt(Math.round(Number(answer.receives) * 1e6))
  }
  const asking = (async () => {
    const running = new Set<Promise<void>>()
    for (let i = 0; isOpen && i < most; i++, await sleep(betweenMs)) {
      const one = ask(urls[i % urls.length]!).finally(() => running.delete(one))
      running.add(one)
    }
    await Promise.all(running)
  })()
  const look = async () => {
    for (const { to } of await chain.arrivals()) {
      const payout = asked.get(to)
      if (payout) payout.arrived ??= performance.now()
    }
  }
  const looking = (async () => {
    for (; isOpen; await sleep(lookMs)) await look()
  })()
  const arrive = async () => {
    const now = performance.now()
    const before = [...asked.values()].filter(each => each.began <= now)
    await until('all payouts are in a block', () => before.every(each => each.arrived !== undefined))
  }
  return {
    reset() {
      since = performance.now()
    },
    /** Waits for the payouts so far. Returns the longest time from request to block since the last `reset` (s). */
    async longest(): Promise<number> {
      await arrive()
      return findLongest([...asked.values()], since)
    },
    /** Ends. Returns how many were asked for, and how many did not arrive exactly once with their amount. */
    async close(): Promise<{ asked: number; wrong: number; longest: number }> {
      if (Number.isFinite(most)) await asking
      await arrive()
      isOpen = false
      await Promise.all([asking, looking])
      await until('the last payouts are in a block', async () => {
        await look()
        return [...asked.values()].every(each => each.arrived !== undefined)
      })
      const arrived = Map.groupBy(await chain.arrivals(), each => each.to)
      const isWrong = ([address, { receives }]: [string, AskedPayout]) => {
        const [first, ...more] = arrived.get(address) ?? []
        return first?.amount !== receives || more.length > 0
      }
      return {
        asked: asked.size,
        wrong: [...asked].filter(isWrong).length,
        longest: findLongest([...asked.values()], 0),
      }
    },
  }
}

/** The longest time from request to block, of payouts that arrived since then or have not yet (s). */
function findLongest(asked: AskedPayout[], since: number): number {
  const recent = asked.filter(each => (each.arrived ?? since) >= since)
  return Math.max(0, ...recent.map(each => ((each.arrived ?? performance.now()) - each.began) / 1_000))
}
