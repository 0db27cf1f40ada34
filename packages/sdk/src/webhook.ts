import { Webhook } from 'standardwebhooks'
import type { WebhookEvent } from './generated/types.ts'

/** The request is not a valid callback, or more than five minutes old: respond with 400. */
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
 * Verifies the signature of a callback and returns its event. Throws WebhookError if the request is not a valid callback, TypeError
 * if the secret is malformed or the body was parsed. An event may arrive more than once, with the same `id` each time.
 */
export function verifyWebhook({ secret, headers, body }: WebhookRequest): WebhookEvent {
  const webhook = open(secret)
  const text = rawText(body)
  try {
    const flat = flatten(headers)
    const { type, timestamp, data } = webhook.verify(text, flat) as WebhookEvent
    return { id: flat['webhook-id'] ?? '', type, timestamp, data } as WebhookEvent
  } catch (cause) {
    throw new WebhookError(cause)
  }
}

/** The body as text. The signature covers the bytes that were sent, which a parsed body no longer has. */
function rawText(body: unknown): string {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body)) return new TextDecoder().decode(body as Uint8Array)
  const given =
    body === null
      ? 'null'
      : Array.isArray(body)
        ? 'an array'
        : typeof body === 'object'
          ? 'a parsed object'
          : typeof body
  throw new TypeError(
    `body must be the raw body, a string or bytes, but is ${given}: read it before a JSON parser does, as with express.raw({ type: 'application/json' }) or await request.text()`,
  )
}

function open(secret: string | undefined): Webhook {
  if (!secret?.startsWith('whsec_')) throw new TypeError('secret must start with whsec_')
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new TypeError('secret is malformed', { cause })
  }
}

/** Also true for the Headers of another realm or library. */
const isHeaders = (headers: WebhookRequest['headers']): headers is Headers => typeof headers.entries === 'function'

function flatten(headers: WebhookRequest['headers']): Record<string, string> {
  const entries = isHeaders(headers) ? [...headers.entries()] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  )
}
