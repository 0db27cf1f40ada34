import type { Queryable } from '../../../kit/db.ts'
import { hashSecret } from '../../../kit/secrets.ts'
import { networkKey, type Visitor } from '../../../kit/visitor.ts'

/**
 * Finds a device by the account and its hash, or another one of the account in its network; `same`: the device itself.
 */
type FindDevice = (
  c: Queryable,
  accountId: string,
  deviceHash: Buffer,
  network: string,
) => Promise<{ same: boolean | null } | undefined>

/**
 * Distinguishes a visitor on a device that signed in to an account before, or in the network of one, from strangers.
 * `key` is what limits count by: the device if it is known (`device`), so that neighbours cannot use up its attempts,
 * else the network.
 */
export const makeFindVisitorStanding =
  (find: FindDevice) =>
  async (
    c: Queryable,
    accountId: string | undefined,
    { ip, deviceToken = '' }: Visitor,
  ): Promise<{ known: boolean; device: boolean; key: string }> => {
    const network = networkKey(ip)
    // The hash of an empty token belongs to no device.
    const hash = hashSecret(deviceToken)
    const found = accountId === undefined ? undefined : await find(c, accountId, hash, network)
    const device = found?.same === true
    return { known: found !== undefined, device, key: device ? `device ${hash.toString('hex')}` : network }
  }
