import { api } from '../api/index.ts'
import { writeStored } from '../lib/storage.ts'
import {
  findPushSubscription,
  isPushSupported,
  subscribeToPush,
  subscriptionId,
  toPushDevice,
} from '../lib/subscription.ts'
import type { Proof } from './proof/useProof.ts'

/** `unsupported` also means a browser tab on iOS, where only the installed app can be notified. */
export type PushState = 'unsupported' | 'denied' | 'off' | 'on'

const subscribed = () => findPushSubscription('/m/')

const ask = async (subscription: PushSubscription | null) =>
  api('GET /api/v1/message/push', { query: subscription ? { device: await subscriptionId(subscription) } : {} })

async function register(subscription: PushSubscription, proof?: Proof): Promise<void> {
  await api('POST /api/v1/message/push', { body: { ...toPushDevice(subscription), proof } })
  writeStored('push', '1')
}

/** Whether this device shows the merchant's payments. */
export async function readPushState(): Promise<PushState> {
  if (!isPushSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const subscription = await subscribed()
  return subscription && (await ask(subscription)).on ? 'on' : 'off'
}

/** Asks for permission, which a browser grants only to a tap. */
export async function requestPushPermission(): Promise<PushState | 'granted'> {
  const permission = await Notification.requestPermission()
  return permission === 'default' ? 'off' : permission
}

/** Subscribes this device. Rejects without a push service. */
export async function turnPushOn(proof: Proof): Promise<PushState> {
  await register(await subscribeToPush('/m/worker.js', (await ask(null)).public_key), proof)
  return 'on'
}

export async function turnPushOff(): Promise<PushState> {
  const subscription = await subscribed()
  if (subscription) {
    await api('DELETE /api/v1/message/push', { query: { device: await subscriptionId(subscription) } })
    await subscription.unsubscribe()
  }
  writeStored('push', null)
  return 'off'
}

/**
 * Binds this device's subscription to the session that is open now, so that signing out ends it. One that the server
 * does not know as the merchant's belongs to somebody who used this device before: it is ended.
 */
export async function bindPushToSession(): Promise<void> {
  const subscription = await subscribed()
  if (!subscription) return
  if ((await ask(subscription)).on) await register(subscription)
  else await turnPushOff()
}
