import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a shop has seen of the server so far. */
export interface Orders {
  accepted: number
  /** Attempts that were not answered with an order, and were repeated with the same key. */
  repeated: number
  /** Answers and errors of such attempts, by how often they came. */
  why: Record<string, number>
  /** Longest time from an order's first attempt to its acceptance (s), since the last `reset`. */
  longest: number
  /** The shop's numbers of accepted orders. */
  numbers: Set<string>
}

/** Pause between two attempts (ms), as the SDK has it at first. */
const pauseMs = 200
/** Pause between two orders of one till (ms): the limit of requests of one address is 20 a second and server. */
const betweenMs = 250

/** A shop that orders without a pause at some tills, each through the next of these addresses, as its manual tells. */
export function startOrders(urls: string[], key: string, tills = 4) {
  const orders: Orders = { accepted: 0, repeated: 0, why: {}, longest: 0, numbers: new Set() }
  let isOpen = true
  const sell = async (url: string) => {
    const outTradeNo = randomUUID()
    const began = performance.now()
    const body = { out_trade_no: outTradeNo, currency: 'USDT', amount: '10' }
    const accepted = await postUntilAccepted(url, key, 'orders', outTradeNo, body, {
      isOpen: () => isOpen,
      onRefused: why => {
        orders.repeated += 1
        orders.why[why] = (orders.why[why] ?? 0) + 1
      },
    })
    if (!accepted) return
    orders.accepted += 1
    orders.numbers.add(outTradeNo)
    orders.longest = Math.max(orders.longest, (performance.now() - began) / 1_000)
  }
  const running = Array.from({ length: tills }, async (_, till) => {
    for (; isOpen; await sleep(betweenMs)) await sell(urls[till % urls.length]!)
  })
  return {
    orders,
    reset() {
      Object.assign(orders, { accepted: 0, repeated: 0, why: {}, longest: 0 })
    },
    async close() {
      isOpen = false
      await Promise.all(running)
    },
  }
}

/** Asks the merchant API, as its manual tells, until it accepts. Returns undefined when the shop closes before that. */
export async function postUntilAccepted(
  url: string,
  key: string,
  path: 'orders' | 'withdrawals',
  idempotencyKey: string,
  body: Record<string, string>,
  { isOpen, onRefused }: { isOpen: () => boolean; onRefused?: (why: string) => void },
): Promise<Record<string, string> | undefined> {
  for (; isOpen(); await sleep(pauseMs)) {
    try {
      const response = await fetch(`${url}/api/v1/pay/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      })
      const text = await response.text()
      if (response.ok) return JSON.parse(text).data
      onRefused?.(`${response.status} ${text.slice(0, 80)}`)
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } }
      onRefused?.(cause?.code ?? name)
    }
  }
  return undefined
}
