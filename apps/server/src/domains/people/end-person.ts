import { type Queryable, run } from '../../kit/db.ts'
import { forgetDevices } from './devices.ts'
import { deletePasskeys } from './passkeys.ts'
import { endSessionsOfPerson } from './sessions.ts'

const forget = run(
  'person-forget-credentials',
  'update persons set password_hash = null, authenticator_secret = null where id = $1',
)
const remove = run('person-remove', 'update persons set deleted_at = $2 where id = $1')

/** Ends all sessions of a person and forgets the devices: whoever uses one of them is a stranger from now on. */
export async function endSignIns(c: Queryable, personId: string): Promise<void> {
  await endSessionsOfPerson(c, personId, null)
  await forgetDevices(c, personId)
}

/** Forgets what a person signs in with: password, authenticator and passkeys, with every session and device. */
export async function forgetCredentials(c: Queryable, personId: string): Promise<void> {
  await forget(c, personId)
  await deletePasskeys(c, personId)
  await endSignIns(c, personId)
}

/** Ends a person, whose email is free then. */
export async function removePerson(c: Queryable, personId: string, now: number): Promise<void> {
  await forgetCredentials(c, personId)
  await remove(c, personId, now)
}
