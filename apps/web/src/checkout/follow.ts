import type { RouteData } from '@coffer/contract'

export type Checkout = RouteData<'GET /api/v1/checkout/:trade_no'>

/** Loading, payment not found, failed to load, or the last known view. */
export type CheckoutState =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed'; message: string }
  | { state: 'here'; view: Checkout; online: boolean; heardAt: number }

/** Polling interval (ms), and how long the event stream may be silent before polling starts. */
const pollMs = 5_000
const silenceMs = 40_000

interface Surroundings {
  fetch: typeof fetch
  /** Opens the stream now or later, or not at all, and closes it when the returned function is called. */
  openEvents: (url: string, on: Pick<EventSource, 'onmessage' | 'onerror'>) => () => void
  now: () => number
  language: () => string
}

/**
 * Follows a payment by server-sent events, polling every five seconds while there are none. Calls `notify` on every
 * change. Returns `take` to apply a view received elsewhere, `read` to refresh now, and `stop`.
 */
export function followPayment(tradeNo: string, notify: (known: CheckoutState) => void, around: Surroundings) {
  const url = `/api/v1/checkout/${tradeNo}`
  let last: Checkout | undefined
  let heardAt = 0
  let eventAt = 0
  let stopped = false

  const take = (view: Checkout) => {
    last = view
    heardAt = around.now()
    notify({ state: 'here', view, online: true, heardAt })
  }
  const lost = (message: string) =>
    notify(last ? { state: 'here', view: last, online: false, heardAt } : { state: 'failed', message })

  const read = async () => {
    try {
      const response = await around.fetch(url, { headers: { 'X-Language': around.language() } })
      const answer = await response.json()
      if (stopped) return
      if (answer.code === 200) take(answer.data)
      else if (last === undefined && response.status < 500 && response.status !== 429) notify({ state: 'missing' })
      else lost(String(answer.msg ?? ''))
    } catch {
      if (!stopped) lost('')
    }
  }

  const closeEvents = around.openEvents(`${url}/events`, {
    onmessage(event) {
      eventAt = around.now()
      take(JSON.parse(event.data))
    },
    // Without events the payment is read at once and then by the clock, so that a lost connection shows soon.
    onerror() {
      eventAt = 0
      void read()
    },
  })
  void read()
  const timer = setInterval(() => {
    if (around.now() - eventAt > silenceMs) void read()
  }, pollMs)
  return {
    take,
    read,
    stop() {
      stopped = true
      clearInterval(timer)
      closeEvents()
    },
  }
}
