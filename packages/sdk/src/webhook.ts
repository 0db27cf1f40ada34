import { Webhook } from 'standardwebhooks'
import type { WebhookEvent } from './generated/types.ts'

/** The request is no valid callback, or more than five minutes old: respond with 400. */
export class WebhookError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'not a valid callback', { cause })
    this.name = 'WebhookError'
  }
}

export interface WebhookRequest {
  /** The application's webhook secret, `whsec_...`. Accepts undefined, for unset variables, only to throw TypeError. */
  secret: string | undefined
  headers: Headers | Record<string, string | string[] | undefined>
  /** The raw body, before parsing. */
  body: string | Uint8Array
}

/**
 * Verifies the signature of a callback and returns its event. Throws WebhookError if the request is no valid callback, TypeError
 * if the secret is malformed. An event may arrive more than once, with the same `id` each time.
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
  if (!secret?.startsWith('whsec_')) throw new TypeError('secret must start with whsec_')
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new TypeError('secret is malformed', { cause })
  }
}

function flatten(headers: WebhookRequest['headers']): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  )
}
