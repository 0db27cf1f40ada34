import webpush from 'web-push'
import type { Config } from '../config.ts'
import type { CallbackReach, HostResolver } from './addresses.ts'
import type { Delivery } from './delivery.ts'
import { sendSafeRequest } from './safe-http.ts'

/** A browser's push subscription (W3C Push API). */
export interface PushDevice {
  endpoint: string
  p256dh: string
  auth: string
}

/** VAPID keys (RFC 8292). */
export interface PushKeys {
  public_key: string
  private_key: string
}

/** A message to one device. A later push with the same topic replaces one that was not delivered yet. */
export interface PushMessage {
  device: PushDevice
  keys: PushKeys
  /** At most 32 characters of base64url. */
  topic: string
  payload: string
}

/** Sends push messages. One is refused once the browser has ended the subscription. */
export interface Pusher {
  send: (push: PushMessage) => Promise<Delivery>
}

/** How long (seconds) a push service keeps a message for a device that is off. */
const ttlSeconds = 24 * 3_600

export function makePushKeys(): PushKeys {
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()
  return { public_key: publicKey, private_key: privateKey }
}

/**
 * Encrypts (RFC 8291) and signs messages, and sends them to the browser's push service, which must be public as
 * callback URLs must.
 */
export function makeWebPushSender(
  { mailFrom, callbackHttp }: Pick<Config, 'mailFrom' | 'callbackHttp'>,
  reach: CallbackReach,
  resolve?: HostResolver,
): Pusher {
  const address = /<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom
  return {
    async send({ device: { endpoint, p256dh, auth }, keys, topic, payload }) {
      const request = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: `mailto:${address}`, publicKey: keys.public_key, privateKey: keys.private_key },
        TTL: ttlSeconds,
        urgency: 'high',
        topic,
      })
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      const { status, failure, retryAfter } = await sendSafeRequest({
        url: endpoint,
        headers: Object.fromEntries(headers),
        body: request.body,
        reach,
        allowHttp: callbackHttp === 'allow',
        resolve,
        timeoutMs: 10_000,
      })
      if (status >= 200 && status < 300) return { result: 'accepted' }
      const error = failure ?? `HTTP ${status}`
      if (status === 404 || status === 410) return { result: 'refused', error }
      return { result: 'later', error, retryAfter, isAway: status === 0 || status === 429 || status >= 500 }
    },
  }
}
