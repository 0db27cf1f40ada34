import { first, type Queryable, run } from '../../kit/db.ts'
import type { QuietHours } from '../../kit/quiet-hours.ts'
import { parseTimeZone } from '../../kit/time-zone.ts'

const read = first(
  'reader-clock',
  `select coalesce(time_zone, '') as time_zone, time_zone_chosen, quiet_from, quiet_until from persons
   where id = $1 and deleted_at is null`,
)
const save = run(
  'reader-clock-set',
  `update persons set time_zone = coalesce($2, time_zone), time_zone_chosen = $2 is not null, quiet_from = $3, quiet_until = $4
   where id = $1 and deleted_at is null`,
)

type ReaderClock = QuietHours & { time_zone_chosen: boolean }
const unknown: ReaderClock = { time_zone: '', time_zone_chosen: false, quiet_from: 0, quiet_until: 0 }

/** Reads by which clock a member or operator is told, and the quiet hours. The zone is empty where none is known. */
export const readReaderClock = async (c: Queryable, personId: string): Promise<ReaderClock> =>
  (await read(c, personId)) ?? unknown

/** Stores the quiet hours, and the zone unless it is empty. Locks the person. */
export const saveReaderClock = (
  c: Queryable,
  personId: string,
  { time_zone, quiet_from, quiet_until }: QuietHours,
): Promise<number> => save(c, personId, parseTimeZone(time_zone) ?? null, quiet_from, quiet_until)
