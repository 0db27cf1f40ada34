import { cell } from '../lib/cell.ts'
import { onTokenChange, readToken } from '../lib/session.ts'
import type { ServerEvent } from './events.ts'
import { api, open } from './index.ts'
import { apiQuery, invalidateCalls, queryClient } from './query.ts'
import { shareStream } from './tabs.ts'
import type { RouteData, RouteKey } from './types.ts'

type EventType = RouteData<'GET /api/v1/user/events'>['type']
type Read = RouteKey & `GET ${string}`

const paymentReads: Read[] = [
  'GET /api/v1/transactions/list',
  'GET /api/v1/collect',
  'GET /api/v1/payment-link',
  'GET /api/v1/transactions/detail',
  'GET /api/v1/transactions/refund-list',
  'GET /api/v1/transactions/refund-link',
  'GET /api/v1/transactions/refund-link-list',
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
  withdrawal: [
    'GET /api/v1/account/withdrawal-list',
    'GET /api/v1/account/withdrawal',
    'GET /api/v1/account/cost',
    'GET /api/v1/approval',
    'GET /api/v1/approval/count',
  ],
  link: ['GET /api/v1/payment-link'],
  account: ['GET /api/v1/user/info', 'GET /api/v1/user/secret-key/list'],
}

/** Debounce (ms) for bursts of events, such as a block with many deposits. */
const burstMs = 400

/** The longest time (ms) of which the server repeats events. */
const longestSinceMs = 86_400_000

/** False while the event stream cannot be opened: the data shown may be out of date. */
export const isLiveStreamOpen = cell(true)

/** Subscribes to server events and refetches the affected queries. Returns a function that stops it. */
export function startLiveUpdates(): () => void {
  const outdated = new Set<Read>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const markOutdated = (reads: Read[]) => {
    for (const read of reads) outdated.add(read)
    timer ??= setTimeout(() => {
      timer = undefined
      const keys = [...outdated]
      outdated.clear()
      void invalidateCalls(...keys)
    }, burstMs)
  }
  // The first calls of a page are no older than the page.
  const heard = { at: Math.floor(performance.timeOrigin), margin: 0 }
  let stream: { stop(): void } | undefined
  /** A hidden tab holds nothing, and catches up when it is seen again. */
  const follow = () => {
    stream?.stop()
    stream = undefined
    if (document.visibilityState !== 'visible') return
    // Tabs share a stream as long as they are of one session.
    stream = shareStream(`events ${readToken()}`, heard, {
      locks: navigator.locks,
      open: (signal, since) =>
        open('GET /api/v1/user/events', {
          query: { since: Math.min(since, longestSinceMs) },
          signal,
          headers: { Accept: 'text/event-stream' },
        }),
      onEvent: event => markOutdated(outdatedBy[typeOf(event)] ?? []),
      onMissed: () => {
        markOutdated(Object.values(outdatedBy).flat())
        readFailedAgain()
      },
      onLive: isLiveStreamOpen.set,
      random: Math.random,
    })
  }
  // An open connection, and one that is being opened, notice for a minute or more that there is no network.
  const lose = () => {
    isLiveStreamOpen.set(false)
    follow()
  }
  /** The new stream repeats events, and knows of no calls that failed. */
  const regain = () => {
    follow()
    readFailedAgain()
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  addEventListener('offline', lose)
  addEventListener('online', regain)
  const ignoreToken = onTokenChange(from => {
    follow()
    if (from === 'another tab') void leaveOtherAccount()
  })
  return () => {
    clearTimeout(timer)
    ignoreToken()
    document.removeEventListener('visibilitychange', follow)
    removeEventListener('offline', lose)
    removeEventListener('online', regain)
    stream?.stop()
  }
}

/** Reads again what failed while the server was away, whatever it is. */
function readFailedAgain(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** Loads the page anew where another tab has signed in to another account: this one must not show, or change, both. */
async function leaveOtherAccount(): Promise<void> {
  const shown = queryClient.getQueryData(apiQuery('GET /api/v1/user/info', {}).queryKey)
  if (shown === undefined || readToken() === null) return
  const { mchid } = await api('GET /api/v1/user/info', {}).catch(() => shown)
  if (mchid !== shown.mchid) location.reload()
}

/** The type in the data, or the event's name when the data is unreadable. */
function typeOf(event: ServerEvent): EventType {
  try {
    return (JSON.parse(event.data) as { type: EventType }).type
  } catch {
    return event.type as EventType
  }
}
