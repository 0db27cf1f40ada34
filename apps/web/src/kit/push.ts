import { api } from '../api/index.ts'
import { writeStored } from '../lib/storage.ts'
import type { Proof } from './proof/useProof.ts'

/** `unsupported` also means a browser tab on iOS, where only the installed app can be notified. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const isSupported = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const worker = () => navigator.serviceWorker.register('/m/worker.js').then(() => navigator.serviceWorker.ready)

const idOf = async ({ endpoint }: PushSubscription): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

async function subscribed(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/m/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

const ask = async (subscription: PushSubscription | null) =>
  api('GET /api/v1/message/push', { query: subscription ? { device: await idOf(subscription) } : {} })

async function register(subscription: PushSubscription, proof?: Proof): Promise<void> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await api('POST /api/v1/message/push', { body: { endpoint: endpoint ?? '', p256dh, auth, proof } })
  writeStored('push', '1')
}

/** Whether this device shows the merchant's payments. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await subscribed()
  return subscription && (await ask(subscription)).on ? 'on' : 'off'
}

/** Asks for permission, which a browser grants only to a tap. */
export async function allowPush(): Promise<PushState | 'granted'> {
  const permission = await Notification.requestPermission()
  return permission === 'default' ? 'off' : permission
}

/** Subscribes this device. Rejects without a push service. */
export async function turnPushOn(proof: Proof): Promise<PushState> {
  const [{ pushManager }, { public_key }] = await Promise.all([worker(), ask(null)])
  // A subscription to another key, such as that of an installation before this one, cannot be used.
  await (await pushManager.getSubscription())?.unsubscribe()
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }), proof)
  return 'on'
}

export async function turnPushOff(): Promise<PushState> {
  const subscription = await subscribed()
  if (subscription) {
    await api('DELETE /api/v1/message/push', { query: { device: await idOf(subscription) } })
    await subscription.unsubscribe()
  }
  writeStored('push', null)
  return 'off'
}

/**
 * Binds this device's subscription to the session that is open now, so that signing out ends it. One that the server does not know as
 * the merchant's belongs to somebody who used this device before: it is ended.
 */
export async function keepPush(): Promise<void> {
  const subscription = await subscribed()
  if (!subscription) return
  if ((await ask(subscription)).on) await register(subscription)
  else await turnPushOff()
}
