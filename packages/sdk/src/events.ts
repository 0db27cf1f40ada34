import { setTimeout as sleep } from 'node:timers/promises'
import type { Coffer } from './client.ts'
import { CofferError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

export interface Following {
  /** Unix seconds; now by default. */
  since: string | undefined
  signal: AbortSignal
  complain: (line: string) => void
  pauseMs?: number | undefined
}

/** Events in the order in which they were read, forgotten once the server cannot send them again. */
const remembered = 2_000

/**
 * Hands every event since a time to `take`, in order and once, and calls `between` after each read, until the signal aborts. While the
 * server does not respond, or responds 429 or 5xx, it tries again. Throws CofferError when the server refuses the key.
 */
export async function followEvents(
  coffer: Coffer,
  { signal, complain, pauseMs = 2000, ...options }: Following,
  take: (event: WebhookEvent) => Promise<void>,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const since = options.since ?? String(Math.floor(Date.now() / 1000))
  if (!/^[0-9]{1,10}$/.test(since)) throw new TypeError('--since must be Unix seconds')
  let cursor = `${since}-00000000-0000-0000-0000-000000000000`
  const seen = new Set<string>()
  while (!signal.aborted) {
    let wait = pauseMs
    try {
      const { list, next_cursor } = await coffer.listEvents({ cursor, pageSize: 100 }, { signal })
      for (const event of list) {
        // The last 30 seconds come again with every answer.
        if (seen.has(event.id)) continue
        await take(event)
        seen.add(event.id)
      }
      cursor = next_cursor
      // An answer holds at most 100 events, so that older ones than these do not come again.
      for (const id of seen) {
        if (seen.size <= remembered) break
        seen.delete(id)
      }
      await between()
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CofferError) || !isOutage(error.status)) throw error
      complain(`${error.msg}: trying again`)
      wait = Math.max(pauseMs, (error.retry_after ?? 0) * 1000)
    }
    await sleep(wait, undefined, { signal }).catch(() => {})
  }
}

const isOutage = (status: number) => status === 0 || status === 429 || status >= 500

/** The number of what an event is about. */
export function numberOf({ id, data }: WebhookEvent): string {
  const { trade_no, id: own } = data as { trade_no?: string; id?: string }
  return trade_no ?? own ?? id
}
