import { setTimeout as sleep } from 'node:timers/promises'
import type { Coffer } from './client.ts'
import { CofferError } from './errors.ts'
import { type Order, paymentStatus } from './generated/types.ts'

interface Triggering {
  signal: AbortSignal
  print: (line: string) => void
  fetch?: typeof fetch | undefined
  pauseMs?: number | undefined
}

/** How many times an order is read until it is paid. */
const readsMost = 60

/** Posts to, or without a body reads, what only a sandbox has. Throws CofferError when it refuses. */
export type Sandbox = (path: string, body?: object) => Promise<unknown>

/** Connects to the sandbox at a URL. Throws Error when the server there is none. */
export async function sandboxAt(
  baseUrl: string,
  send: typeof fetch = fetch,
  headers: Record<string, string> = {},
): Promise<Sandbox> {
  const at = (path: string) => `${baseUrl.replace(/(?<!\/)\/+$/, '')}/sandbox/${path}`
  const probe = await send(at('payments'), { redirect: 'error' })
  const isSandbox = probe.ok && probe.headers.get('content-type')?.includes('json')
  if (!isSandbox) throw new Error(`this works with a sandbox only, and ${baseUrl} is none`)
  return async (path, body) => {
    const post = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    const response = await send(at(path), body ? { ...post, body: JSON.stringify(body) } : { headers })
    const { code, msg = '', data } = (await response.json()) as { code: number; msg?: string; data?: unknown }
    if (code !== 200) throw new CofferError(msg, { code, status: response.status })
    return data
  }
}

/** What a sandbox does with an order for each event. */
const acts: Record<string, (sandbox: Sandbox, order: Order, untilPaid: () => Promise<void>) => Promise<unknown>> = {
  'payment.paid': (sandbox, { trade_no }) => sandbox('pay', { trade_no }),
  'payment.partial': (sandbox, order) => sandbox('pay', shareOf(order, 0.5)),
  'payment.over': (sandbox, order) => sandbox('pay', shareOf(order, 2)),
  'payment.timeout': (sandbox, { trade_no }) => sandbox('expire', { trade_no }),
  'payment.late': async (sandbox, { trade_no }) => {
    await sandbox('expire', { trade_no })
    await sandbox('pay', { trade_no })
  },
  'payment.error': async (sandbox, { trade_no }, untilPaid) => {
    await sandbox('pay', { trade_no })
    await untilPaid()
    await sandbox('reverse', { trade_no })
  },
}

const shareOf = ({ trade_no, usdt_amount }: Order, share: number) => ({
  trade_no,
  amount: (Number(usdt_amount) * share).toFixed(6),
})

/** Makes an order in a sandbox and has what leads to an event happen to it. Throws Error on an unknown event. */
export async function trigger(
  { client, baseUrl }: { client: Coffer; baseUrl: string },
  event: string,
  price: { amount: string; currency: string | undefined },
  { fetch: send, signal, print, pauseMs = 2000 }: Triggering,
): Promise<void> {
  const act = Object.hasOwn(acts, event) ? acts[event] : undefined
  if (!act) throw new Error(`trigger takes ${Object.keys(acts).join(', ')}`)
  const sandbox = await sandboxAt(baseUrl, send)
  const order = await client.createOrder({
    out_trade_no: `cli-${crypto.randomUUID().slice(0, 13)}`,
    ...price,
    // What is paid late must have an address before.
    ...(event === 'payment.late' ? { chain: 'eth', token: 'USDT' } : {}),
  })
  await act(sandbox, order, async () => {
    await sandbox('mine', { blocks: 10 })
    for (let reads = 0; reads < readsMost; reads++) {
      if ((await client.getOrder(order.trade_no, { signal })).status === paymentStatus.paid) return
      await sleep(pauseMs, undefined, { signal })
    }
    throw new Error(`order ${order.trade_no} was not paid in time`)
  })
  print(`${event} follows for order ${order.trade_no}`)
}
