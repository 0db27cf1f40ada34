import { all, first, run, type Statements } from '../../kit/db.ts'

/**
 * A person's passkey.
 * - `id`: the credential id in base64url
 * - `public_key`: a COSE key
 * - `counter`: signatures made so far, as the authenticator counts them; stays 0 for those that do not count
 * - `last_used`: null if it was never used
 * - `blocked_at`: set once a copy of it was noticed
 */
export type StoredPasskey = Statements['passkeys-of']['row']

const columns = 'person_id, id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at'

/** Reads the passkeys of a person, the oldest first. */
export const listPasskeysOfPerson = all(
  'passkeys-of',
  `select ${columns} from passkeys where person_id = $1 order by created_at, id`,
)

/** Finds a passkey that may be used in a realm. */
export const findUsablePasskey = first(
  'passkey-by-id',
  `select ${columns} from passkeys where id = $1 and realm = $2 and blocked_at is null`,
)

/** Adds a passkey; returns 0 when somebody of the realm has it. */
export const insertPasskey = run(
  'passkey-insert',
  `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at)
   select p.id, p.realm, $2, $3, $4, $5, $6, $7, $8 from persons p where p.id = $1 on conflict do nothing returning 1`,
)

export const renamePasskey = run('passkey-rename', 'update passkeys set name = $3 where person_id = $1 and id = $2')
export const deletePasskey = run('passkey-delete', 'delete from passkeys where person_id = $1 and id = $2')
export const deletePasskeys = run('passkeys-drop', 'delete from passkeys where person_id = $1')

/** Stores the counter and time of a use; returns 0 when it was deleted, or a later counter was stored meanwhile. */
export const recordPasskeyUse = run(
  'passkey-use',
  `update passkeys set counter = $3, last_used = $4
   where person_id = $1 and id = $2 and blocked_at is null and (counter < $3 or counter = 0) returning 1`,
)
/** Blocks a passkey; returns 0 when it is blocked already. */
export const blockPasskey = run(
  'passkey-block',
  'update passkeys set blocked_at = $3 where person_id = $1 and id = $2 and blocked_at is null returning 1',
)
