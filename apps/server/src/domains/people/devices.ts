import { first, type Queryable, run } from '../../kit/db.ts'
import { hashSecret } from '../../kit/secrets.ts'
import { networkKey, type Visitor } from '../../kit/visitor.ts'

const devicesMax = 20
/** How long (s) a device is known after its last sign-in. */
const knownSeconds = 180 * 86_400

const insert = run(
  'device-insert',
  `insert into known_devices (person_id, token_hash, network, last_used) values ($1, $2, $3, $4)
   on conflict (person_id, token_hash) do update set network = $3, last_used = $4`,
)

/** Keeps the $2 devices used last. */
const trim = run(
  'devices-trim',
  `delete from known_devices where person_id = $1 and token_hash not in (
     select token_hash from known_devices where person_id = $1 order by last_used desc limit $2)`,
)

/** Finds a device by its token, or any device by its network ($3); `same`: the device itself. */
const find = first(
  'device-find',
  `select token_hash = $2 as same from known_devices where person_id = $1 and (token_hash = $2 or network = $3)
   order by same desc limit 1`,
)

/** Returns 1 when a person has signed in on any device. */
const hasAny = run('device-any', 'select 1 from known_devices where person_id = $1 limit 1')

export const forgetDevices = run('devices-drop', 'delete from known_devices where person_id = $1')

const deleteUnused = run('devices-forget', 'delete from known_devices where last_used <= $1 returning 1')

/** Forgets devices on which nobody has signed in for long. Returns their number. */
export const deleteUnusedDevices = (c: Queryable, now: number): Promise<number> => deleteUnused(c, now - knownSeconds)

/**
 * Remembers the device of a sign-in and the network that it uses now. Returns whether it differs from those of all
 * sign-ins before it, in device and network; the first one of a person does not.
 */
export async function rememberDevice(c: Queryable, personId: string, from: Visitor, now: number): Promise<boolean> {
  if (!from.deviceToken) return false
  const isNew = (await hasAny(c, personId)) > 0 && !(await findVisitorStanding(c, personId, from)).known
  await insert(c, personId, hashSecret(from.deviceToken), networkKey(from.ip), now)
  await trim(c, personId, devicesMax)
  return isNew
}

/**
 * Distinguishes a visitor on a device on which a person signed in before, or in the network of one, from strangers.
 * `key` is what limits count by: the device if it is known (`device`), so that neighbours cannot use up its attempts,
 * else the network.
 */
export async function findVisitorStanding(
  c: Queryable,
  personId: string | undefined,
  { ip, deviceToken = '' }: Visitor,
): Promise<{ known: boolean; device: boolean; key: string }> {
  const network = networkKey(ip)
  // The hash of an empty token belongs to no device.
  const hash = hashSecret(deviceToken)
  const found = personId === undefined ? undefined : await find(c, personId, hash, network)
  const device = found?.same === true
  return { known: found !== undefined, device, key: device ? `device ${hash.toString('hex')}` : network }
}
