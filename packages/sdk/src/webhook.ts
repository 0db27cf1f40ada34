import { Webhook } from 'standardwebhooks'
import type { WebhookEvent } from './generated/types.ts'

/** A request that is not a callback of the service, or is older than five minutes: answer it with 400. */
export class WebhookError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'not a valid callback', { cause })
    this.name = 'WebhookError'
  }
}

export interface WebhookRequest {
  /** `whsec_...`, shown when the application was made. A variable that is not set is refused with TypeError. */
  secret: string | undefined
  headers: Headers | Record<string, string | string[] | undefined>
  /** The body as it came, before anything parses it. */
  body: string | Uint8Array
}

/**
 * Checks that a request is a callback of the service and gives what it says. Throws WebhookError when it is not; throws
 * TypeError when the secret cannot be one. The same event can come more than once: its `id` is the same each time.
 */
export function verifyWebhook({ secret, headers, body }: WebhookRequest): WebhookEvent {
  const webhook = open(secret)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  try {
    const flat = flatten(headers)
    const { type, timestamp, data } = webhook.verify(text, flat) as WebhookEvent
    return { id: flat['webhook-id'] ?? '', type, timestamp, data } as WebhookEvent
  } catch (cause) {
    throw new WebhookError(cause)
  }
}

function open(secret: string | undefined): Webhook {
  if (!secret?.startsWith('whsec_')) throw new TypeError('the secret must start with whsec_')
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new TypeError('the secret is not whole', { cause })
  }
}

function flatten(headers: WebhookRequest['headers']): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  )
}
