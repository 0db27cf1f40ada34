import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'
import { first, run } from '../../kit/db.ts'
import { makePushKeys, type PushKeys } from '../../outside/push.ts'

const readKeys = first('push-keys', 'select public_key, private_key from push_keys')
const insertKeys = run(
  'push-keys-insert',
  'insert into push_keys (public_key, private_key, created_at) values ($1, $2, $3) on conflict do nothing',
)

const placeOf = (publicKey: string) => ({ column: 'push_keys.private_key', row: publicKey }) as const

/** Makes the installation's keys unless it has them. Runs at every start, on any number of servers. */
export async function ensurePushKeys({ pool, seal, clock }: Pick<Deps, 'pool' | 'seal' | 'clock'>): Promise<void> {
  if (await readKeys(pool)) return
  const { public_key, private_key } = makePushKeys()
  await insertKeys(pool, public_key, seal.seal(private_key, placeOf(public_key)), clock())
}

export async function readPushKeys({ pool, seal }: Pick<Deps, 'pool' | 'seal'>): Promise<PushKeys> {
  const found = await readKeys(pool)
  if (!found) throw new Error('there are no push keys yet')
  return { ...found, private_key: seal.open(found.private_key, placeOf(found.public_key)) }
}

/** The key that browsers subscribe with; empty before there is one. */
export const publicPushKey = async ({ pool }: Pick<Deps, 'pool'>): Promise<string> =>
  (await readKeys(pool))?.public_key ?? ''

/** The id of a device: the SHA-256 of its endpoint, which is a secret between browser and server. */
export const computePushDeviceId = (endpoint: string): string => createHash('sha256').update(endpoint).digest('hex')
