import type { ServerEvent } from './events.ts'
import { open } from './index.ts'
import { refresh } from './query.ts'
import { keepStream } from './stream.ts'
import type { Data, RouteKey } from './types.ts'

type EventType = Data<'GET /api/v1/user/events'>['type']
type Read = RouteKey & `GET ${string}`

const paymentReads: Read[] = [
  'GET /api/v1/transactions/list',
  'GET /api/v1/transactions/detail',
  'GET /api/v1/statistics/overview',
  'GET /api/v1/statistics/daily-collection',
  'GET /api/v1/statistics/summary',
]
const balanceReads: Read[] = [
  'GET /api/v1/statistics/assets',
  'GET /api/v1/statistics/overview',
  'GET /api/v1/account/stream',
  'GET /api/v1/account/recharge',
]

/** What each event makes out of date. A new list that an event can change is added here. */
const outdatedBy: Record<EventType, Read[]> = {
  payment: paymentReads,
  deposit: [...paymentReads, ...balanceReads],
  balance: balanceReads,
  callback: ['GET /api/v1/callback/list', 'GET /api/v1/callback/detail', 'GET /api/v1/transactions/detail'],
  notification: ['GET /api/v1/message'],
  account: ['GET /api/v1/user/info', 'GET /api/v1/user/secret-key/list'],
}

/** Many events come in bursts (a block with many deposits): one refresh for each burst. */
const burstMs = 400

/** Listens for what changes on the server and asks again for what is shown of it. Give back: how to stop. */
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
    open: signal => open('GET /api/v1/user/events', { signal, headers: { Accept: 'text/event-stream' } }),
    onEvent: event => markOutdated(outdatedBy[typeOf(event)] ?? []),
    onMissed: () => {
      if (document.visibilityState === 'visible') markOutdated(Object.values(outdatedBy).flat())
    },
    random: Math.random,
  })
  return () => {
    clearTimeout(timer)
    stream.stop()
  }
}

/** The type stands in the data; an event without readable data is known by its name alone. */
function typeOf(event: ServerEvent): EventType {
  try {
    return (JSON.parse(event.data) as { type: EventType }).type
  } catch {
    return event.type as EventType
  }
}
