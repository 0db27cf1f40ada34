import { all, first, run, type Statements } from '../../kit/db.ts'

/**
 * A person's passkey.
 * - `id`: the credential id in base64url
 * - `public_key`: a COSE key
 * - `counter`: signatures made so far, as the authenticator counts them; stays 0 for those that do not count
 * - `last_used`: null if it was never used
 * - `blocked_at`: set once a copy of it was noticed
 * - `host`: where it was made, which is where it works; empty for an older one until its next use
 */
export type StoredPasskey = Statements['passkeys-of']['row']

const columns = 'person_id, id, name, public_key, counter, transports, synced, created_at, last_used, blocked_at, host'

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

/** Returns 1 when somebody of a realm ($1) has a passkey of another host than $2. */
export const hasPasskeyElsewhere = run(
  'passkey-elsewhere',
  `select 1 from passkeys where realm = $1 and (host > '' and host < $2 or host > $2) limit 1`,
)

/** Counts passkeys that could be used at another host than $2, and whose they are, by host. */
export const countPasskeysElsewhere = all(
  'passkeys-elsewhere',
  `select k.host, count(*)::int as passkeys, count(distinct k.person_id)::int as persons
   from passkeys k join persons p on p.id = k.person_id
   where k.realm = $1 and k.host not in ('', $2) and k.blocked_at is null and p.deleted_at is null
   group by k.host order by k.host`,
)

/** Adds a passkey; returns 0 when somebody of the realm has it. */
export const insertPasskey = run(
  'passkey-insert',
  `insert into passkeys (person_id, realm, id, name, public_key, counter, transports, synced, created_at, host)
   select p.id, p.realm, $2, $3, $4, $5, $6, $7, $8, $9 from persons p where p.id = $1
   on conflict do nothing returning 1`,
)

export const renamePasskey = run('passkey-rename', 'update passkeys set name = $3 where person_id = $1 and id = $2')
export const deletePasskey = run('passkey-delete', 'delete from passkeys where person_id = $1 and id = $2')
export const deletePasskeys = run('passkeys-drop', 'delete from passkeys where person_id = $1')

/**
 * Stores counter, time and host of a use; returns 0 when it was deleted, or a later counter was stored meanwhile.
 */
export const recordPasskeyUse = run(
  'passkey-use',
  `update passkeys set counter = $3, last_used = $4, host = $5
   where person_id = $1 and id = $2 and blocked_at is null and (counter < $3 or counter = 0) returning 1`,
)
/** Blocks a passkey; returns 0 when it is blocked already. */
export const blockPasskey = run(
  'passkey-block',
  'update passkeys set blocked_at = $3 where person_id = $1 and id = $2 and blocked_at is null returning 1',
)
