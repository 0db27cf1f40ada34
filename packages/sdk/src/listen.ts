import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Coffer } from './client.ts'
import { CofferError } from './errors.ts'
import type { WebhookEvent } from './generated/types.ts'

interface Listening {
  forwardTo: string
  /** Signs what is forwarded; without it, there is no signature. */
  secret: string | undefined
  /** Unix seconds; now by default. */
  since: string | undefined
  signal: AbortSignal
  print: (line: string) => void
  complain: (line: string) => void
  fetch?: typeof fetch | undefined
  pauseMs?: number | undefined
}

/**
 * Forwards every event to a URL, in order and once, until the signal aborts. While the server or the URL does not respond, or responds
 * 429 or 503, the event waits. Throws CofferError when the server refuses the key, TypeError on a malformed URL or secret.
 */
export async function listen(coffer: Coffer, options: Listening): Promise<void> {
  const { signal, pauseMs = 2000, print, complain } = options
  const url = new URL(options.forwardTo)
  const webhook = options.secret === undefined ? undefined : new Webhook(options.secret)
  const since = options.since ?? String(Math.floor(Date.now() / 1000))
  if (!/^[0-9]{1,10}$/.test(since)) throw new TypeError('--since must be Unix seconds')
  let cursor = `${since}-00000000-0000-0000-0000-000000000000`
  const seen = new Set<string>()
  print(`forwarding to ${url}`)
  while (!signal.aborted) {
    let wait = pauseMs
    try {
      const { list, next_cursor } = await coffer.listEvents({ cursor, pageSize: 100 }, { signal })
      for (const event of list) {
        // The last 30 seconds come again with every answer.
        if (seen.has(event.id)) continue
        await deliver(event)
        seen.add(event.id)
      }
      cursor = next_cursor
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CofferError) || !isOutage(error.status)) throw error
      complain(`${error.msg}: trying again`)
      wait = Math.max(pauseMs, (error.retry_after ?? 0) * 1000)
    }
    await pause(wait)
  }

  function pause(ms: number) {
    return sleep(ms, undefined, { signal }).catch(() => {})
  }

  /** Posts an event until there is an answer other than that of an outage. Rejects when the signal aborts. */
  async function deliver(event: WebhookEvent): Promise<void> {
    for (;;) {
      const { status, retryAfter } = await post(event)
      signal.throwIfAborted()
      print(`${new Date().toISOString()} ${event.type} ${numberOf(event)} ${status || 'no response'}`)
      if (status !== 0 && status !== 429 && status !== 503) return
      await pause(Math.max(pauseMs, retryAfter * 1000))
      signal.throwIfAborted()
    }
  }

  async function post({ id, ...event }: WebhookEvent): Promise<{ status: number; retryAfter: number }> {
    const body = JSON.stringify(event)
    const now = new Date()
    const headers = new Headers({
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    })
    if (webhook) headers.set('webhook-signature', webhook.sign(id, now, body))
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(15_000)])
    try {
      const response = await (options.fetch ?? fetch)(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: timeout,
      })
      await response.body?.cancel()
      return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) || 0 }
    } catch {
      return { status: 0, retryAfter: 0 }
    }
  }
}

const isOutage = (status: number) => status === 0 || status === 429 || status >= 500

/** The number of what the event is about. */
function numberOf({ id, data }: WebhookEvent): string {
  const { trade_no, id: own } = data as { trade_no?: string; id?: string }
  return trade_no ?? own ?? id
}
