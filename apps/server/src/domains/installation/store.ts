import { all, first, run } from '../../kit/db.ts'

/** Names of fingerprints: `mode`, `secret`, `xpub <kind>`, `chain <id>`, `genesis <id>`, `database`, `version`. */
export const readFingerprints = all(
  'fingerprints-read',
  'select name, value from fingerprints order by name, created_at desc',
)

/** Adds fingerprints, given as arrays of names and values. */
export const addFingerprints = run(
  'fingerprints-add',
  `insert into fingerprints (name, value, created_at) select n, v, $3 from unnest($1::text[], $2::text[]) as f (n, v)
   on conflict do nothing`,
)

/** Deletes every value of a name but one. */
export const deleteOtherFingerprints = run(
  'fingerprint-keep',
  'delete from fingerprints where name = $1 and value <> $2',
)

/** A sealed text, to try the secret on. */
export const readAnySealedSecret = first(
  'seal-any',
  'select appid, webhook_secret from applications order by created_at limit 1',
)

/** The first address given out of each kind's tree, to try its extended public key on. */
export const firstAddresses = all(
  'addresses-first',
  `select a.chain_kind, a.address, a.key_index from unnest($1::text[]) k (kind) cross join lateral (
     select chain_kind, address, key_index from deposit_addresses where chain_kind = k.kind order by key_index limit 1
   ) a`,
)

export const readAddressCounters = all('address-counters', 'select chain_kind, next_index from address_counters')

/** Moves the next index of a kind ahead, never back. */
export const raiseAddressCounter = run(
  'address-counter-raise',
  `insert into address_counters as a (chain_kind, next_index) values ($1, $2)
   on conflict (chain_kind) do update set next_index = greatest(a.next_index, excluded.next_index)`,
)

/** Identifies this copy of the database: its cluster, its place in it, and its history of recoveries. */
export const databaseIdentity = first(
  'database-identity',
  `select coalesce(concat_ws('/', (select system_identifier from pg_control_system()), d.oid,
     (select timeline_id from pg_control_checkpoint())), '') as value
   from pg_database d where d.datname = current_database()`,
)
