import type { Coffer } from './client.ts'
import { type Following, followEvents, numberOf } from './events.ts'

/** Callbacks whose attempts are read after each read of events: the newest. */
const watched = 100

/**
 * Prints a line for each event of the application and for each attempt to send one, with the response, until the signal aborts. Throws as
 * `followEvents`.
 */
export async function tailLogs(coffer: Coffer, options: Following & { print: (line: string) => void }): Promise<void> {
  const { print, signal } = options
  const since = options.since ?? String(Math.floor(Date.now() / 1000))
  const line = (time: string, ...parts: string[]) => print([time, ...parts].join(' '))
  /** Attempts that were printed, by callback. */
  let printed = new Map<string, number>()
  await followEvents(
    coffer,
    { ...options, since },
    async event => line(event.timestamp, event.type, numberOf(event), event.id),
    async () => {
      const { list } = await coffer.listCallbacks({ start_time: Number(since), pageSize: watched }, { signal })
      for (const { id, event, trade_no, attempts, notify_url } of list.toReversed()) {
        const before = printed.get(id) ?? 0
        if (attempts <= before) continue
        const detail = await coffer.getCallback(id, { signal })
        for (const { time, duration_ms, result, answer } of detail.attempts.slice(0, attempts - before).toReversed()) {
          const [first = ''] = answer.split('\n', 1)
          const about = [`-> ${notify_url}`, event, trade_no || id, result, `${duration_ms} ms`, first.slice(0, 80)]
          line(new Date(time * 1000).toISOString(), ...about.filter(Boolean))
        }
      }
      printed = new Map(list.map(({ id, attempts }) => [id, attempts]))
    },
  )
}
