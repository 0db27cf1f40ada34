import { all, first, run } from '../../kit/db.ts'

/** Notes a backup, and that it was restored for a check, if it was. */
export const noteBackup = run(
  'backup-note',
  `insert into backups as b (id, name, bytes, made_at, verified_at) values ($1, $2, $3, $4, $5)
   on conflict (id) do update set verified_at = coalesce(excluded.verified_at, b.verified_at)`,
)

/** When the newest backup was made, and the newest that was checked; null without one. */
export const readLastBackups = first(
  'backups-last',
  `select (select max(made_at) from backups) as made_at,
     (select max(made_at) from backups where verified_at is not null) as checked_at,
     (select min(created_at) from fingerprints) as installed_at`,
)

export const listBackups = all(
  'backups-list',
  'select name, bytes, made_at, verified_at from backups order by made_at desc limit 50',
)
