import type { Queryable } from '../../kit/db.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { networkKey, type Visitor } from '../../kit/visitor.ts'
import { findDevice, hasDevice, insertDevice, trimDevices } from './store.ts'

const devicesMax = 20

/** Remembers the device of a sign-in and the network that it uses now. */
export async function rememberDevice(c: Queryable, merchantId: string, from: Visitor, now: number): Promise<void> {
  if (!from.deviceToken) return
  await insertDevice(c, merchantId, hashSecret(from.deviceToken), networkKey(from.ip), now)
  await trimDevices(c, merchantId, devicesMax)
}

/** Whether a sign-in comes from another device and network than all before it. The first one of an account does not. */
export async function isNewDevice(c: Queryable, merchantId: string, from: Visitor): Promise<boolean> {
  if (!from.deviceToken || !(await hasDevice(c, merchantId))) return false
  return !(await standingOf(c, merchantId, from)).known
}

/**
 * Distinguishes a visitor on a device that signed in to an account before, or in the network of one, from strangers. `key` is what
 * limits count by: the device if it is known, so that neighbours cannot use up its attempts, else the network.
 */
export async function standingOf(
  c: Queryable,
  merchantId: string | undefined,
  { ip, deviceToken }: Visitor,
): Promise<{ known: boolean; key: string }> {
  const network = networkKey(ip)
  // The hash of an empty token belongs to no device.
  const hash = hashSecret(deviceToken ?? '')
  const found = merchantId === undefined ? undefined : await findDevice(c, merchantId, hash, network)
  return { known: found !== undefined, key: found?.same ? `device ${hash.toString('hex')}` : network }
}
