import type { Queryable } from '../../../kit/db.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import { networkKey, type Visitor } from '../../../kit/visitor.ts'
import { findDevice, hasDevice, insertDevice, trimDevices } from '../store.ts'
import { makeFindVisitorStanding } from './standing.ts'

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
  return !(await findVisitorStanding(c, merchantId, from)).known
}

/** Distinguishes visitors on a merchant's devices and in their networks from strangers. */
export const findVisitorStanding = makeFindVisitorStanding(findDevice)
