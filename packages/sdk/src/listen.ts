import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Coffer } from './client.ts'
import { type Following, followEvents, numberOf } from './events.ts'
import type { WebhookEvent } from './generated/types.ts'

interface Listening extends Following {
  forwardTo: string
  /** Signs what is forwarded; without it, there is no signature. */
  secret: string | undefined
  print: (line: string) => void
  fetch?: typeof fetch | undefined
}

/**
 * Forwards every event to a URL, in order and once, until the signal aborts. While the server or the URL does not respond, or responds
 * 429 or 503, the event waits. Throws CofferError when the server refuses the key, TypeError on a malformed URL or secret.
 */
export async function listen(coffer: Coffer, options: Listening): Promise<void> {
  const { signal, pauseMs = 2000, print } = options
  const url = new URL(options.forwardTo)
  const webhook = options.secret === undefined ? undefined : new Webhook(options.secret)
  print(`forwarding to ${url}`)
  await followEvents(coffer, options, deliver)

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
