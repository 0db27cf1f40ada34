import { cell } from '../lib/cell.ts'
import type { ServerEvent } from './events.ts'
import { open } from './index.ts'
import { queryClient, refresh } from './query.ts'
import { keepStream } from './stream.ts'
import type { Data, RouteKey } from './types.ts'

type EventType = Data<'GET /api/v1/user/events'>['type']
type Read = RouteKey & `GET ${string}`

const paymentReads: Read[] = [
  'GET /api/v1/transactions/list',
  'GET /api/v1/collect',
  'GET /api/v1/transactions/detail',
  'GET /api/v1/transactions/refund-list',
  'GET /api/v1/transactions/refund-link',
  'GET /api/v1/statistics/overview',
  'GET /api/v1/statistics/daily-collection',
  'GET /api/v1/statistics/summary',
]
const balanceReads: Read[] = [
  'GET /api/v1/statistics/assets',
  'GET /api/v1/statistics/overview',
  'GET /api/v1/account/stream',
  'GET /api/v1/account/recharge',
  'GET /api/v1/account/fixed-address',
  'GET /api/v1/account/internal-transfer',
  'GET /api/v1/account/cost',
]

/** Queries to refetch on each event. Add any new list that an event can change. */
const outdatedBy: Record<EventType, Read[]> = {
  payment: paymentReads,
  deposit: [...paymentReads, ...balanceReads],
  balance: balanceReads,
  callback: ['GET /api/v1/callback/list', 'GET /api/v1/callback/detail', 'GET /api/v1/transactions/detail'],
  notification: ['GET /api/v1/message', 'GET /api/v1/work-order', 'GET /api/v1/work-order/list'],
  withdrawal: ['GET /api/v1/account/withdrawal-list', 'GET /api/v1/account/withdrawal', 'GET /api/v1/account/cost'],
  account: ['GET /api/v1/user/info', 'GET /api/v1/user/secret-key/list'],
}

/** Debounce (ms) for bursts of events, such as a block with many deposits. */
const burstMs = 400

/** False while the event stream cannot be opened: the data shown may be out of date. */
export const live = cell(true)

/** Subscribes to server events and refetches the affected queries. Returns a function that stops it. */
export function startLive(): () => void {
  const outdated = new Set<Read>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const markOutdated = (reads: Read[]) => {
    for (const read of reads) outdated.add(read)
    timer ??= setTimeout(() => {
      timer = undefined
      const keys = [...outdated]
      outdated.clear()
      void refresh(...keys)
    }, burstMs)
  }
  const stream = keepStream({
    // The first calls of a page are older than the stream, and no older than the page.
    open: signal =>
      open('GET /api/v1/user/events', {
        query: { since: Math.min(Math.ceil(performance.now()), 86_400_000) },
        signal,
        headers: { Accept: 'text/event-stream' },
      }),
    onEvent: event => markOutdated(outdatedBy[typeOf(event)] ?? []),
    onMissed: () => {
      if (document.visibilityState !== 'visible') return
      markOutdated(Object.values(outdatedBy).flat())
      // What failed while the server was away is read again, whatever it is.
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
    },
    onLive: live.set,
    random: Math.random,
  })
  return () => {
    clearTimeout(timer)
    stream.stop()
  }
}

/** The type in the data, or the event's name when the data is unreadable. */
function typeOf(event: ServerEvent): EventType {
  try {
    return (JSON.parse(event.data) as { type: EventType }).type
  } catch {
    return event.type as EventType
  }
}
